match command.split():
    case ["go", direction] | ("walk", direction):
        go(direction)
    case {"type": "x", "value": v, **rest} if v > 0:
        pass
    case Point(x=0, y=-1) as p:
        pass
    case Point(1, b, z=c):
        pass
    case -1 | 2.5 | 1+2j | None | True | "s" "t":
        pass
    case a.b.c:
        pass
    case (x):
        pass
    case [1, *rest, 2] | [_, *_]:
        pass
    case first, *others:
        pass
    case {}:
        pass
    case _:
        pass
match = 1
match.attribute = match(2)
