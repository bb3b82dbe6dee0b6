#include <stdio.h>
#define MAX(a, b) ((a) > (b) ? (a) : (b))

/* A list of numbers. */
struct list {
    int value;
    struct list *next;
};

enum color { RED, GREEN = 2, BLUE };

static const int table[] = {1, 2, 3, [5] = 6};

static int sum(const struct list *l, int (*f)(int)) {
    int total = 0;
    for (; l != NULL; l = l->next) {
        if (l->value < 0) continue;
        else if (l->value == 7) break;
        total += f ? f(l->value) : l->value; // with or without
    }
    return total;
}

int main(int argc, char **argv) {
    struct list a = {1, NULL}, b = {.value = 2, .next = &a};
    unsigned long n = sizeof(struct list) * 2u;
    switch (argc) {
    case 1: printf("%d %s\n", sum(&b, 0), "one"); break;
    default:
        while (n-- > 0) { do { argc >>= 1; } while (argc); }
        goto out;
    }
out:
    return MAX(table[0], 'x') ^ ~0;
}
