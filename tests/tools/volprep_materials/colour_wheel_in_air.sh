# Colour wheel in air.
# grep: air.voxels
# grep: voxels of colour #000000 are air, not 'K'
# grep: without extinction
volprep "$VOLPT_TEST_DATA/j750-colorwheel-slices" --materials elek2017 --air black --pitch 42.3um,84.7um,27um -o w.vpk \
    --json >j.txt
python3 -c '
import json
j = json.load(open("j.txt"))
s = j["material_shares"]
a = j["air"]
assert "K" not in s and a["materials"] == ["air"] and s["air"] == a["share"] and 0.21 < a["share"] < 0.22, j
print("told:", j["notices"])
'
volinfo w.vpk
volprep w.vpk --export 's%d.png'
volprep . --materials elek2017 --air 0,0,0 --pitch 42.3um,84.7um,27um -o v.vpk
volinfo w.vpk | grep data_checksum >p.txt
volinfo v.vpk | grep data_checksum | cmp p.txt -
