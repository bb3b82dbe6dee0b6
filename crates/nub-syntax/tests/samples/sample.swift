import Foundation
/// A point.
public struct Point<T: Equatable>: Shape where T: Hashable {
    let x: Int, y: T?
    var area: Double { get { return 1.0 } set { print(newValue) } }
    init(x: Int, _ y: T? = nil) { self.x = x; self.y = y }
    func f(a b: String, c: inout [Int]) throws -> (Int, String) {
        guard let z = y else { return (1, "a \(x + 1) b") }
        for (i, v) in c.enumerated() where i > 0 { if v == 3 { continue } else { break } }
        switch x {
        case 1, 2:
            c.append(1)
        case let n where n > 3:
            fallthrough
        default:
            throw E.bad
        }
        while true { repeat { c[0] += 1 } while false }
        do { try g() } catch { print(error) }
        let h = { (a: Int) -> Int in a * 2 }
        return (c.map { $0 + 1 }.count, b ?? "z")
    }
}
enum E: Error { case bad, worse(Int) }
class A: B { override func g() { } }
extension A: P { }
