package a.b; import java.util.*; import a.b.C;
public sealed interface Shape permits Circle, Square {}
record Circle(double r) implements Shape { Circle { if (r < 0) throw new IllegalArgumentException(); } static int n; }
record Square<T extends Comparable<? super T> & Runnable>(T side, int... rest) implements Shape {}
non-sealed class Other {}
enum E implements Runnable { A(1) { void f() {} }, B; E(int... x) {} ; public void run() {} }
@interface Note { int value() default 1; String[] names() default {"a", "b"}; }
class C<T> extends D<List<? extends T>[]> {
  private final int[] a = {1, 2, 3}, b[] = new int[3][]; static { System.out.println("x"); } { a[0]++; }
  @Override @Note(value = 2, names = {}) public <U> U m(final T t, U... u) throws E1, E2 {
    var x = switch (t) { case 1, 2 -> "a"; case 3 -> { yield "b"; } default -> throw new X(); };
    switch (x) { case "a": case "b": break; default: return null; }
    for (int i = 0, j = 1; i < j; i++, j--) ; for (var e : list) continue; outer: while (true) { break outer; } do { } while (false);
    try (var r = open(); r) { } catch (A | B e) { } finally { } synchronized (this) { assert a > b : "m"; }
    Runnable r = () -> {}; Function<T, U> f = (a, b) -> a + b; g = String::valueOf; h = int[]::new; k = x -> y -> x;
    if (o instanceof String s && s.length() > 0) return (U) (T) s; else ;
    int v = a ? b : c ? d : e; v >>>= 1; v = a << 2 >> 3 >>> 4 & 5 | 6 ^ ~7; long l = 0x1FL + 0b11 + 017 + 1_000; double d = 1e-3 + .5f + 1.d; char c = '\u0041', n = '\n';
    String s = "" +
        "text" +
        "a\tb"; return new C<>() { int z; }.m(super.x, C.this.y, Outer.super.f(), int.class, String[].class);
  }
}
