#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct account {
    char owner[32];
    long balance;
    struct account *next;
};

static struct account *bank;

static struct account *find(const char *owner) {
    for (struct account *a = bank; a; a = a->next)
        if (strcmp(a->owner, owner) == 0)
            return a;
    return NULL;
}

static struct account *open_account(const char *owner, long balance) {
    struct account *a = malloc(sizeof *a);
    if (!a)
        abort();
    strncpy(a->owner, owner, sizeof a->owner - 1);
    a->owner[sizeof a->owner - 1] = 0;
    a->balance = balance;
    a->next = bank;
    bank = a;
    return a;
}

static int transfer(const char *from, const char *to, long amount) {
    struct account *a = find(from), *b = find(to);
    if (!a || !b || a->balance < amount)
        return -1;
    a->balance -= amount;
    b->balance += amount;
    return 0;
}

static long total(void) {
    long sum = 0;
    for (struct account *a = bank; a; a = a->next)
        sum += a->balance;
    return sum;
}

static int percent(long part, long whole) {
    if (whole == 0)
        return 0;
    return (int)(part * 100 / whole);
}

int main(int argc, char **argv) {
    long amount = argc > 1 ? atol(argv[1]) : 10;
    open_account("ann", 100);
    open_account("bob", 50);
    if (transfer("ann", "bob", amount) != 0)
        printf("refused\n");
    printf("%d\n", percent(find("ann")->balance, total()));
    int limit[4] = {1, 2, 3, 4};
    int last = limit[4];
    printf("%d %ld\n", last, total());
    return 0;
}
