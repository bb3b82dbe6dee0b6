int next(void);
void statements(int n) {
    int i;
    for (i = 0; i < n; i++) if (i & 1) continue; else break;
    for (int j = 0, k = 1; ; ) { if (j > k) goto done; j++; }
    for (;;) { }
    while (n--) do { next(); } while (n > 3);
    switch (n) {
    case 0: case 1: next(); break;
    case 'x': ;
    default: { int i = 3; n = i; }
    }
    if (n) if (n > 1) next(); else next(); else ;
done:
    ;
    { { } ; { ; } }
inner: while (1) { break; }
    return;
}
