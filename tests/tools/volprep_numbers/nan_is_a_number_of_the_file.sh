# NaN is a number of the file.
python3 -c 'import struct; open("v.raw", "wb").write(struct.pack("<4f", float("nan"), 0, 1000, -1000))'
volprep v.raw --dims 2,2,1 --type f32 --window -1000,1000 --nan -1000 -o v.vpk --json >j
volprep v.vpk --export o.raw
python3 -c '
import json, struct
assert struct.unpack("<4f", open("o.raw", "rb").read()) == (0, 0.5, 1, 0)
notices = json.load(open("j"))["notices"]
assert "v.raw: 1 NaN became -1000" in notices, notices
'
