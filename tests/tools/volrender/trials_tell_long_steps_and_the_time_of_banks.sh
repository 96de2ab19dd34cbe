# Trials tell long steps and the time of banks.
volprep --make cube --dims 1,1,1 --size 1mm --sigma-t 20 --albedo 0.99 -o c.vpk -q
volrender c.vpk --resolution 40x30 --long-steps on --spp 4 --trials 2 --json >t.json
python3 -c '
import json
t = json.load(open("t.json"))
assert t["long_steps"] > 0 and t["stepped_collisions"] > t["long_steps"] and t["seconds_banks"] > 0
'
