--[[ a program
     with a comment ]]
local fact = function(n) -- of a number
  if n <= 1 then return 1 elseif n == 2 then return 2; else return n * fact(n - 1) end
end
function m.a.b:run(x, ...)
  local t = { 1, 2; x = 3, [4 + 5] = "six\n", f(...) }
  for i = 1, #t, 2 do t[i] = -t[i] ^ 2 .. 'a' .. "b" end
  for k, v in pairs(t) do print(k, v); m:go "now" end
  while not (x > 3) and true do x = x + 1; break end
  repeat local y = nil until y or x ~= 3
  do end
end
print(fact(5))
