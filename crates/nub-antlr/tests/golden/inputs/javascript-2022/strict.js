"use strict";
let a = 1; const b = 0o17;
function f() { 'use strict'; let c = 2; function* g() {
    yield 1
    yield a
  }
}
class C { static x() { } }
throw a
