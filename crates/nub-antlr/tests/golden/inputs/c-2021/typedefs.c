/* Names that are types or not: what a parser cannot know without a symbol table. */
typedef int T;
T (x);
T *y, z[3];
int f(T), g(T T), h(T (T));
int k(void) {
    T * a;
    T (b) = 3;
    a * b;
    f(b);
    (T)(b);
    (b)(3);
    (T) - b;
    sizeof(T) * b;
    { int T = 1; T * b; T++; }
    return (a) + (T)b;
}
