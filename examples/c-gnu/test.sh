#!/bin/sh
# Interesting: the compiler accepts it as standard C but not as GNU C.
cc -std=c11 -pedantic-errors -fsyntax-only "$1" || exit 1
! cc -std=gnu11 -fsyntax-only "$1"
