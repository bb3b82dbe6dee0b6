def f(a, b=1, *c, d, e=2, **g):
    global x, y
    if a:
        pass
    elif b == 2 and not c or d:
        return
    else:
        raise ValueError("x") from None
    while a < 10:
        a += 1
        if a > 5: break
        else: continue
    else:
        del a, b[0], c.d
    for i, (j, *k) in enumerate(zip(a, b)):
        assert i, "message"
    else: pass
    try:
        with open("f") as h, lock:
            yield h
    except (A, B) as error:
        raise
    except C: pass
    except:
        x = y = z = 0; a, b = b, a; c, = d
    else:
        pass
    finally:
        pass

    def inner():
        nonlocal g
        x: int
        y: str = "s"
        x @= 1; x //= 2; x **= 3; x >>= 1; x <<= 1; x &= 1; x ^= 1; x |= 1; x %= 2; x -= 1; x *= 1; x /= 2
        return inner
    return inner()
async def co():
    async with a as b: pass
    async for x in y: await x
    return [i async for i in z]
