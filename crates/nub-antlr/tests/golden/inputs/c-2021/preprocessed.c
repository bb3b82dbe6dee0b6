# 1 "input.c"
# 1 "/usr/include/stdio.h" 1 3 4
typedef struct _IO_FILE FILE;
extern FILE *stdout;
extern int fprintf (FILE *__restrict __stream, const char *__restrict __format, ...) __attribute__ ((__nonnull__ (1)));
#pragma pack(push, 1)
struct packed { char c; int i; } __attribute__((packed, aligned(2)));
#line 12 "input.c"
static __inline__ int one(void) { return __extension__ ({ int x = 1; x; }); }
# 20 "input.c"
int main(void) { __asm__ volatile ("nop" : : : "memory"); fprintf(stdout, "%d", one()); return __builtin_offsetof(struct packed, i); }
