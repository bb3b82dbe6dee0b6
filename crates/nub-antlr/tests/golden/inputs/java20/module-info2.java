@Deprecated open module a.b.c { requires transitive static x.y; exports p.q to r, s; opens t; uses u.V; provides w.X with y.Z, A; }
