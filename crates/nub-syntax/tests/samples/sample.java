package a.b.c;

import java.util.*;
import static java.lang.Math.max;

/** A class. */
@SuppressWarnings({"a", "b"})
public final class Sample<T extends Comparable<T> & Runnable> extends Base implements I, J {
    private static final int[] TABLE = {1, 2, 3};
    enum Color { RED(1), GREEN { void f() {} }; private Color(int... x) { } }
    record Point(int x, int y) { }
    interface I { default void f() { } int g() throws Exception; }

    public <U> Sample(final List<? super U> list, int n) throws IllegalStateException {
        super(list);
        for (int i = 0, j = 1; i < n; i++, j--) { if (i == 3) continue; else break; }
        for (var x : list) synchronized (this) { x.toString(); }
        label: while (true) { do { n -= 1; } while (n > 0); break label; }
        switch (n) { case 1: case 2: return; default: throw new IllegalStateException("x" + 'c'); }
    }

    int f(Object o) {
        try (var in = open(); var out = in) { return o instanceof String s ? s.length() : 0x1F; }
        catch (RuntimeException | Error e) { assert e != null : "x"; }
        finally { Runnable r = () -> { }; Function<Integer, Integer> g = x -> x + 1; r = this::f; }
        return switch (o.hashCode()) { case 1, 2 -> 3; default -> { yield (int) 4.0; } };
    }
}
