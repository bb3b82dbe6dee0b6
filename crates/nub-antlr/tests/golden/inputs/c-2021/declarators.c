typedef unsigned long long u64;
typedef int (*compare)(const void *, const void *);
typedef struct node { struct node *next; u64 key : 40, flag : 1, : 0; union { int i; double d; } value; } node;

enum colour { RED, GREEN = 5, BLUE = GREEN << 1, };

extern volatile const char *const *table[][3];
static int (*(*pick(int which))(char))[4];
int (*handlers[8])(void), *p, **pp, matrix[2][3] = { { 1, 2, 3 }, { [1] = 5 } };
struct { int x, y; } origin = { .x = 1, .y = -1 }, *where = &origin;
void (*signal(int sig, void (*func)(int)))(int);
int variadic(const char *format, ...);
inline static double half(double x) { return x / 2; }
_Bool ready; float _Complex z;
_Static_assert(sizeof(int) >= 2, "small");
_Alignas(16) char block[64];
_Thread_local int mine;
_Noreturn void stop(void);
int f(int n, int a[static 3], char b[const restrict n], int (*)[*]);
