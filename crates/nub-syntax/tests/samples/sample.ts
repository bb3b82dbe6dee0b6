import type { Foo } from './foo';
interface Shape<T extends object = {}> extends Base { readonly name: string; area?(x: number): T; [key: string]: unknown }
type Either<A, B> = { kind: 'a', value: A } | { kind: 'b'; value: B };
enum Color { Red = 1, Green, Blue = "blue" }
abstract class Animal implements Shape {
  private constructor(public name: string, protected age?: number) { super(); }
  abstract speak<T>(this: Animal, ...words: T[]): void;
  get size(): number { return this.age! as number; }
}
declare module 'x' { export function f(a: string, b?: number): asserts a is string; }
namespace N { export const x: Array<[number, string?]> = []; }
function over(a: string): void;
function over(a: any): void { let y = <any>a; for (const z of y) { console.log(z satisfies Foo); } }
let t: keyof typeof Color extends infer U ? U : never;
export { over as default };
