/* Old style: parameters declared after the list, implicit int, pointer arithmetic. */
extern int printf();

static max(a, b)
    int a, b;
{
    return a > b ? a : b;
}

char *copy(to, from)
    char *to;
    register char *from;
{
    char *start = to;
    while (*to++ = *from++)
        ;
    return start;
}

main(argc, argv)
    int argc;
    char **argv;
{
    char buffer[80];
    printf("%s %d\n", copy(buffer, argv[0]), max(argc, 3));
    return 0;
}
