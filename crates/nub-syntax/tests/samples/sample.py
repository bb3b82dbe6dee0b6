"""A module."""
import os, sys
from typing import List as L, Optional
from . import sibling

@decorator(1, key='x')
class A(Base, metaclass=Meta):
    x: int = 1

    def method(self, a, b=2, *args, c, **kwargs) -> 'A':
        # A comment.
        if a and not b or a in [1, 2]:
            return None
        elif a is not b:
            pass
        else:
            raise ValueError(f"bad {a!r:>10} {b}") from None
        for i, j in enumerate(args):
            while True:
                break
            else:
                continue
        try:
            with open('f') as f, open("g"):
                del f[1:2, ::3]
        except (OSError, KeyError) as e:
            global y
            y += lambda q, *r: q if r else -q
        finally:
            assert a == b, 'no'
        return {**kwargs, 'a': 1, 'b': (2,)}

async def g():
    async for x in y:
        await x
    yield [z ** 2 for z in range(10) if z % 2]
    print({k: v for k, v in {}}, {1, 2}, x := 3)

match command.split():
    case [x, *rest] if x:
        pass
    case {"a": 1} | None:
        a = b = c
