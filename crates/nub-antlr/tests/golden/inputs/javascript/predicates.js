#!/usr/bin/env node
'use strict'
let a = b / c / d, e = /re[/]gex/gi, f = (1) / 2 / 3, g = [/x/, /y/], h = x++ / 2 / y
x = (a) / regex / b
return_
var i = `t ${a + `n ${b} ${ {c: 1}.c }`} $ \n` + tag`x`
return_
label: for (;;) { break
label
}
function f1() { return
1 }
a
++b
c = d
(e)
const o = { get x() { return 1 }, set x(v) { }, get: 1, set, static: 2, async *gen() { yield* x }, [k]: 1, 'q': 2, 3: 4, ...s }
class A extends B { static x = 1; #p = 2; get y() { return this.#p } static async m() { await x } constructor() { super() } static { } }
x = a ?? b; x ??= 1; y = a?.b?.[c]; z = a ** b ** c; n = 10n + 0xFFn + 0b1 + 0o7 + 1_000
throw new Error("x")
for (const [k, v] of m) ; for (let k in o) ; for await (x of y) { }
const ar = async (x, { y = 1, ...z }, [w, , v]) => ({ x }), ar2 = x => x, ar3 = async x => { }
import d, { e1 as f2 } from 'm'; import * as ns from "n"; export default class { }
export { a as b }
export * from 'x'
switch (a) { case 1: default: }
try { } catch { } finally { } do x++; while (x < 5)
debugger; new.target; void 0, typeof x, delete a.b; a = b ? c : d ? e : f; x = y = z; new Foo; new Foo.Bar(1); (function () { })(); (() => { })()
