# Launched energy is balanced.
volprep --make sphere --dims 16,16,16 --size 4mm --sigma-t 1 --albedo 0.5 --emission 1 -o h.vpk -q
volrender h.vpk --device cpu --integrator light --tally absorbed --spp 20000 --resolution 1x1 -o d.mha --json | python3 -c '
import json, sys
e = json.load(sys.stdin)["energy"]
assert abs(sum(e.values()) - 1) < 1e-6 and e["absorbed"] > 0.1, e
'
