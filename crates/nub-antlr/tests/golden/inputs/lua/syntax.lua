local a <const>, b <close> = 1, 2; local c; goto l; ::l:: ;
local function f(...) local n = select('#', ...) return ... end
function t.a.b:m(x, y, ...) return self end
for i = 1, 10, 2 do if i == 3 then break elseif i ~= 4 then else end end
for k, v in pairs(t) do repeat until true; while nil do end; do end end
t = { 1, "x"; [1 + 2] = 3, k = { }, f = function() end, f(), ... }
x = -2 ^ -3 ^ 4 * 5 // 6 % 7 .. "a" .. 'b' < 3 and not 4 or #t == ~5 & 6 | 7 ~ 8 << 9 >> 10
f"s" f{1} f[[x]] t.x.y:z(1)"s"{2} ; t[3].w = (g or h)(1)(2)
print(0xFF, 0x1p-3, 1e5, .5, 3., 0xA.8, "\65\x41\u{1F600}\z
   x\
y", 'it\'s')
return f(a, b), t[1]
