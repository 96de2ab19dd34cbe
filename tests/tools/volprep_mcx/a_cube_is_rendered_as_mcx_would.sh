# A cube is rendered as mcx would.
printf '%s' '{"Session": {"Photons": 40000, "DoMismatch": 0}, "Domain": {"Dim": [60, 60, 60], "OriginType": 1, "Media": [{"mua": 0, "mus": 0, "g": 1, "n": 1}, {"mua": 0.005, "mus": 1, "g": 0.01, "n": 1.37}]}, "Shapes": [{"Grid": {"Tag": 1, "Size": [60, 60, 60]}}], "Forward": {"T0": 0, "T1": 5e-9, "Dt": 5e-9}, "Optode": {"Source": {"Type": "pencil", "Pos": [29, 29, 0], "Dir": [0, 0, 1]}}}' >cube.json
volprep cube.json -o c.vpk -q
volrender c.vpk --tally absorbed -o d.jnii --json >a.json
sed 's/"DoMismatch": 0/"DoMismatch": 1/' cube.json >cube_b.json
volprep cube_b.json -o b.vpk -q
volrender b.vpk --tally absorbed -o b.jnii --json >b.json
python3 -c '
import base64, json, struct, zlib
a, b = (json.load(open(n + ".json")) for n in "ab")
assert abs(a["energy"]["absorbed"] - 0.1769) < 0.005, a
assert abs(b["energy"]["absorbed"] - 0.2724) < 0.005, b
d = json.load(open("d.jnii"))
h, z = d["NIFTIHeader"], d["NIFTIData"]
assert h["Dim"] == z["_ArraySize_"] == [60, 60, 60, 1, 2], h
v = struct.unpack("<432000f", zlib.decompress(base64.b64decode(z["_ArrayZipData_"])))
assert abs(sum(v[::2]) - a["energy"]["absorbed"]) < 1e-4
assert v[2 * (29 * 60 + 29) * 60] > v[2 * (29 * 60 + 29) * 60 + 2 * 40]
'
