# Trials have the fixed keys.
volprep --make cube --dims 1,1,1 --size 1mm --sigma-t 20 --albedo 0.9 -o c.vpk -q
volrender c.vpk --trials 3 --device cpu --spp 2 --resolution 20x20 --json | python3 -c '
import json, sys
t = json.load(sys.stdin)
s = t["seconds"]
assert t["trials"] == 3 and t["paths"] == 800 and t["device"] == "cpu" and len(t["film_hash"]) == len(t["scene_hash"]) == 32, t
assert 0 < s["min"] <= s["median"] <= s["max"] and s["min"] <= s["mean"] <= s["max"] and s["standard_deviation"] >= 0, s
assert all(abs(t[k + "_per_second"] * s["median"] / t[k] - 1) < 1e-6 for k in ("paths", "extensions", "tentative_collisions")), t
assert t["kernel"] and t["version"] and "gpu" not in t, t
'
