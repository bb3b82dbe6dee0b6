#!/bin/sh
# Succeeds if the import fails with the message in question. A configuration with which it fails in another way says
# nothing: 125.
output=$(python3 "$(dirname "$0")/import.py" "$1" 2>&1) && exit 1
case $output in
*"Invalid isoformat string"*) exit 0 ;;
*) exit 125 ;;
esac
