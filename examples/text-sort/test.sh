#!/bin/sh
# Interesting: sorting by byte values and sorting without regard to case disagree.
LC_ALL=C sort "$1" > plain
LC_ALL=C sort -f "$1" > folded
! cmp -s plain folded
