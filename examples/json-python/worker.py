"""A co-process for nub: reads the path of a candidate per line, answers 1 (interesting) or 0.

Interesting is valid JSON with a number that Python reads as infinite, and so cannot write back as JSON.
"""
import json
import math
import sys


def numbers(value):
    if isinstance(value, float):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from numbers(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from numbers(inner)


def is_interesting(path):
    try:
        with open(path, encoding="utf-8") as file:
            data = json.load(file, parse_constant=lambda name: 0)
    except (ValueError, RecursionError):
        return False
    return any(math.isinf(number) for number in numbers(data))


for line in sys.stdin:
    print(1 if is_interesting(line.rstrip("\n")) else 0, flush=True)
