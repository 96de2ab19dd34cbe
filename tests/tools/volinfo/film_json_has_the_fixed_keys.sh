# Film json has the fixed keys.
volinfo $VOLPT_TESTS_DIR/frozen/tiny.vpf --json | python3 -c '
import json, sys
v = json.load(sys.stdin)
assert v["paths"] == 18 and v["extensions"] == 1500 and v["tentative_collisions"] == 2500 and v["samples"] == 3
assert len(v["mean"]) == len(v["standard_error"]) == 3 and len(v["film_hash"]) == len(v["scene_hash"]) == 32
'
