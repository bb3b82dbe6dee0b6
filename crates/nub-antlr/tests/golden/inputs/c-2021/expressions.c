int g(int, ...);
typedef struct { int a; struct { int b[4]; } s; } T;

int expressions(T *t, int x, int y) {
    int r = x + y * 3 - (x << 2 >> 1) % 7 & 0xFFu | ~y ^ !x;
    r += x, r -= y, r *= 2, r /= 3, r %= 5, r <<= 1, r >>= 2, r &= 15, r ^= 1, r |= 8;
    r = x == y || x != y && x < y || x <= y && x > y || x >= y;
    r = x ? y ? 1 : 2 : x ? 3 : 4;
    t->s.b[x++]--, --t->a, ++(*t).s.b[-1 + 2];
    r = sizeof r + sizeof(T) + _Alignof(long) + sizeof *t + sizeof(int[3]);
    r = (int)(long)(char)-x + (x) - (y) + (T *)t != (void *)0;
    r = ((T){ .a = 1, .s.b[2] = 5, .s = { { 1, 2 } } }).a + (int){ 3 };
    r = g(1, 'a', '\n', L'\x41', '\'', "a" "b" L"c" u8"d", 1.5e-3f, 0x1p4, 077, 10ULL, .5, 1., 1e9L)(2)[3];
    r = _Generic(x, int: 1, float: g(2), default: 0);
    r = *&x + -+-y + ~!*&y + &*t != t;
    return r = x = y, r;
}
