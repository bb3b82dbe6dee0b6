var a = b / c / d, e = /re[/]gex\/x/gi, f = (1) / 2 / 3, h = x++ / 2 / y;
b = (a) / regex / c;
var t = `template ${a} \` end`, u = tag`x`;
function f1() { return
1 }
a
++b
var o = { get x() { return 1 }, set x(v) { }, get: 1, m() { }, [k]: 1, 'q': 2, 3: 4, ...s, async *g() { } };
class A extends B { static m() { } get y() { return 1 } constructor() { super() } #p = 2 }
for (var x of y) ; for (var k in o) ; for (var i = 0, j; i < j; i++) continue;
x = a ?? b; z = a ** b ** c; y = a?.b; w = async (x, [y]) => x, v = x => { };
switch (a) { case 1: break; default: } try { } catch (e) { } finally { }
let l = 1; const c2 = 2; label: while (1) break label;
do x++; while (x)
