#include <stdio.h>
/* a list
   of numbers */
struct list { int value; struct list *next; };
static const int table[3] = { 1, 2, 3, };
int add(int a, int b) { return a + b; }
int main(int argc, char *argv[]) {
    int i, sum = 0;
    struct list head;
    for (i = 0; i < 10; i++) {
        if (i % 2 == 0) sum += add(i, table[i % 3]); else if (argc > 1 && argv[1]) continue;
        else { sum -= (int) sizeof(struct list); }
    }
    do { head.value = sum ? 'x' : -1; } while (0);
    switch (sum) { case 1: break; default: goto out; }
out:
    printf("%d\n", sum, (&head)->value); // done
    return 0;
}
