# Volume json has the fixed keys.
volinfo $VOLPT_TESTS_DIR/frozen/tiny.vpk --json | python3 -c '
import json, sys
v = json.load(sys.stdin)
assert (
    v["dims"] == [9, 2, 1]
    and v["pitch_mm"] == [0.5, 0.25, 2.0]
    and v["bands"] == 3
    and v["bricks"] == 2
    and v["constant_bricks"] == 1
)
assert v["quantisation_error_max"] == 0 and v["size_bytes"] == 45088
'
