# Kernels are listed with their devices.
volrender --list-kernels --json | python3 -c '
import json, sys
k = json.load(sys.stdin)
assert all(set(e) == {"device", "kernel", "description"} and e["description"] for e in k), k
assert len({e["kernel"] for e in k}) == len(k) and any(e["device"] == "cpu" for e in k), k
'
