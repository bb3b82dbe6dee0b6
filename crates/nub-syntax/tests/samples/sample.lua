local a, b = 1, "two"
-- comment
local t = { 1, 2; x = 3, ["y"] = function(...) return ... end }
function t.f(self, n)
  if n == 0 then return nil elseif n > 5 and not t.x then goto done else n = n - 1 end
  for i = 1, 10, 2 do print(i, #t, a .. b) end
  for k, v in pairs(t) do while v do break end end
  repeat n = n // 2 until n < 1
  ::done::
  return t:f(n - 1), f { x = 1 }, f "s"
end
