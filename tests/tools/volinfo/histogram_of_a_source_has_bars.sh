# Histogram of a source has bars.
# grep: 2            2 ##################################################
printf '\001\002\002\004' >in.raw
volinfo in.raw --dims 2,2,1 --type u8 --histogram
volinfo in.raw --dims 2,2,1 --type u8 --histogram --json | python3 -c '
import json, sys
h = json.load(sys.stdin)["histogram"]
assert h["counts"] == [1, 2, 0, 1] and h["low"] == 1 and h["bin_width"] == 1, h
'
