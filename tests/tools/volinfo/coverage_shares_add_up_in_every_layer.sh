# Coverage shares add up in every layer.
volinfo $VOLPT_TESTS_DIR/frozen/tiny_labels.vpk --coverage c.svg --json | python3 -c '
import json, sys
v = json.load(sys.stdin)
c = v["coverage"]
assert c["materials"] == [m["name"] for m in v["materials"]] and len(c["layers"]) == v["dims"][2]
assert all(abs(sum(layer["share"]) - 1) < 1e-9 for layer in c["layers"]) and abs(sum(c["total"].values()) - 1) < 1e-9
assert c["layers"][0]["layer"] == v["dims"][2] - 1 and c["layers"][0]["depth_mm"][0] == 0
'
python3 -c 'import xml.dom.minidom; xml.dom.minidom.parse("c.svg")'
volinfo $VOLPT_TESTS_DIR/frozen/tiny_labels.vpk --coverage c.png
test -s c.png
