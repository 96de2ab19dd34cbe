# Rendered colour is the one asked for.
printf 'PF\n4 4\n-1\n' >t.pfm
python3 -c 'import struct,sys; sys.stdout.buffer.write(struct.pack("<3f",.578,.188,.188)*16)' >>t.pfm
volprep --print t.pfm --size 1.0152mm,1.0164mm --core 9.5mm --materials elek2017 --intent absolute -o p.vpk
volrender p.vpk --probe top --sides periodic --spp 32 --device cpu -o p.vpf -q
volinfo p.vpf --json >j.txt
cat j.txt
python3 -c '
import json
j = json.load(open("j.txt"))
assert all(abs(m - a) < 0.03 and e < 0.006 for m, a, e in zip(j["mean"], (0.578, 0.188, 0.188), j["standard_error"])), j
'
