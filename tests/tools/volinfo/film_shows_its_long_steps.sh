# Film shows its long steps.
volprep --make cube --dims 1,1,1 --size 1mm --sigma-t 20 --albedo 0.99 -o c.vpk -q
volrender c.vpk --resolution 40x30 --long-steps on -o c.vpf -o c.exr --samples 60:10 --json >c.json
grep -aq '{"Y":' c.exr
volrender c.vpk --resolution 40x30 -o plain.vpf --spp 2 -q
volinfo plain.vpf --json >plain.json
volinfo c.vpf --json >i.json
python3 -c '
import json
r, i, p = [json.load(open(f + ".json")) for f in ("c", "i", "plain")]
keys = ("long_steps", "stepped_collisions")
assert all(r[k] == i[k] > 0 for k in keys) and i["stepped_collisions"] > i["long_steps"] and r["seconds_banks"] > 0
assert i["banks"] == 2 and 1e-5 < i["bank_error"][0] < 1e-2 and not set(p) & {*keys, "banks", "bank_error"}
'
