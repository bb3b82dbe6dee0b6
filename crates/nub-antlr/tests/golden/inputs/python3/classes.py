"""Module docstring."""
from __future__ import annotations
import os, sys as system
from . import sibling
from ..package.module import (first, second as other,)
from ... import *


@decorator
@module.factory(1, key="v", *args, **kw)
class Shape(Base, metaclass=Meta):
    """Doc."""
    count: int = 0
    names: list

    def __init__(self, x=None, *, y: int = 2, **rest) -> None: pass


class Empty: ...

class Circle(Shape):

    def area(self, *args, scale=1.0):
        # a comment at some depth
        return 3.14 * self.r ** 2 if scale else -self.r

            # a comment deeper

    @property
    async def name(self): return await self._name()
x = 1
