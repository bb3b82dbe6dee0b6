package a.b
import kotlin.math.max
/** A class. */
@Suppress("x")
data class Point<T : Any>(val x: Int, var y: T? = null) : Base(x), I {
    companion object { const val N = 1 }
    init { require(x > 0) }
    override fun f(vararg a: String, b: Int = 1): List<String> {
        for (i in 0..10 step 2) { if (i == 3) continue else break }
        val r = when (b) { 1, 2 -> "a"; is Int -> "b"; else -> throw Exception("x $b ${a.size}") }
        while (true) { do { b.toString() } while (false) }
        try { a.map { it.length + 1 }.filter { s -> s > 1 } } catch (e: Exception) { } finally { }
        return listOf(r, a?.get(0) ?: "z")
    }
}
enum class Color { RED, GREEN }
fun <T> id(t: T): T = t
