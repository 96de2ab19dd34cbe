# Source is described with a window.
# Files that volprep reads.
# grep: suggested_option: --window -1000,3000
# grep: numbers down to -1000: volprep refuses negative ones unless --window -1000,3000 maps them
# grep: values.percentiles.99: 3000.0
python3 -c '
import struct
v = [-1000] * 600 + [int(i) for i in range(0, 400)] + [3000] * 24
open("head.mha", "wb").write(
    b"NDims = 3\nDimSize = 8 16 8\nElementSpacing = 0.5 0.25 2\nOffset = 1 2 3\nElementType = MET_SHORT\nComment = a scan\nElementDataFile = LOCAL\n"
    + struct.pack("<1024h", *v)
)
'
volinfo head.mha --json >i.json
volinfo head.mha
python3 -c '
import json
i = json.load(open("i.json"))
v = i["values"]
assert (
    i["kind"] == "source"
    and i["format"] == "metaimage"
    and i["dims"] == [8, 16, 8]
    and i["pitch_mm"] == [0.5, 0.25, 2]
    and i["size_mm"] == [4, 4, 16]
    and i["type"] == "i16"
    and i["channels"] == 1
), i
assert i["placement"]["first_voxel_world_mm"] == [1, 2, 3] and i["source_metadata"]["Comment"] == "a scan"
assert (
    v["min"] == -1000
    and v["max"] == 3000
    and v["nan"] == v["infinite"] == 0
    and v["voxels"] == 1024
    and v["percentiles"]["50"] == -1000
), v
assert i["suggested_window"] == [-1000, 3000]
'
