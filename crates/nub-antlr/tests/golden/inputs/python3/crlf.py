def f():
    x = 1

    # comment
    return x
