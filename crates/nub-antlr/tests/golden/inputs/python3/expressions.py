a = 1 + 2 * 3 - 4 / 5 // 6 % 7 @ m
b = -x ** -y + ~z << 2 >> 1 & 3 | 4 ^ 5
c = x < y <= z != w == v > u >= t is not None in s not in r is q
d = not a or b and not c
e = a if b else c if d else e
f = lambda: 0
g = lambda x, *y, z=1, **w: (x, y)
h = [1, 2, *rest, ]
i = {1, 2, *s}
j = {"a": 1, **other, "b": 2, }
k = {}
l = ()
m = (1,)
n = [x * y for x in a if x if y for y in b]
o = {k: v for k, v in d.items()}
p = {x for x in y}
q = (x for x in y)
r = f(a, *b, c=1, **d)(e)[f].g[1:2, ::3, :, 4:][...]
s = f(x for x in y)
t = 0xFF + 0o17 + 0b101 + 1e5 + 1.5j + .5 + 5. + 000
u = 'a' "b" r'\d' b"\x00" f"{x!r:>{width}}" rb'\n' '''long
string''' """another "quoted" one\""""
v = [
    1,
        2,
  3
]
w = a \
    + b
x = yield_
_ = match = 3
print(_, match)
