local = 1
if x then
