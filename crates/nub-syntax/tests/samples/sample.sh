#!/bin/bash
set -eu
X=1 Y="a $X ${Z:-default}" cmd --opt arg1 'arg 2' > out.txt 2>&1 < in.txt
f() {
  local n=$1
  if [ "$n" -gt 0 ] && [[ $n == a* ]]; then echo yes | grep -q y; elif false; then :; else return 1; fi
  for i in 1 2 3; do echo "$i" >> log; done
  while read -r line; do case "$line" in a|b) break ;; *) continue ;; esac; done
}
arr=(1 2 3)
echo "$((1 + 2 * n))" $(f 1) `date` &
cat <<EOF
text $X
EOF
