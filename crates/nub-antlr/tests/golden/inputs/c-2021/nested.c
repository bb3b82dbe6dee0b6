int deep(int x) { return ((((((((((((((((((((((((((((((x)))))))))))))))))))))))))))))); }
int a[2][2][2][2] = {{{{1,2},{3,4}},{{5,6},{7,8}}},{{{9,10},{11,12}},{{13,14},{15,16}}}};
void blocks(void) {{{{{{{{{{{{{{{{{{{{ ; }}}}}}}}}}}}}}}}}}}}
int chain(int x) { if (x == 1) return 1; else if (x == 2) return 2; else if (x == 3) return 3; else if (x == 4) return 4; else return x ? x : x ? x : x ? x : 0; }
int calls(int (*f)(int)) { return f(f(f(f(f(f(f(f(f(f(1)))))))))); }
