class X { int f() { return a.b().c[1].d(e)[f].<T>g().new H().i + (j) + (int) -k - (K) l + m++ + ++n - --o * p % q / r == s != t && !u || v; } 
 Object g = new int[]{1,2}[0]; Object h = new a.B<C>(1){}; boolean b = x < y == z > w; int i = (a < b) ? c : d; { a = b += c -= d; f(g(h(i(j())))); } }
