package a.b
import scala.collection.{mutable => m, _}
/** A class. */
sealed abstract class Shape[+T <: Any](val x: Int, y: String = "a") extends Base(x) with I {
  private lazy val z: Option[Int] = Some(1)
  def f(a: Int*)(implicit c: C): Seq[Int] = {
    for (i <- 0 until 10; j = i if j > 1) yield i * j
    if (x == 1) println(s"a $x ${y.length}") else while (true) { g() }
    x match { case 1 | 2 => 3; case n: Int if n > 3 => n; case Point(a, _) => a; case _ => throw new Exception("x") }
    try { a.map(_ + 1) } catch { case e: Exception => Nil } finally { h() }
  }
}
case class Point(a: Int, b: Int)
object Main extends App { val t = (1, "b", 'c'); type L = List[Int] }
