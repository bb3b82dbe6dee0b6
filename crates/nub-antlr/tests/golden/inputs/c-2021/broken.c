int f(void) { return 1 + ; }
int g( { }
struct s { int x } y;
