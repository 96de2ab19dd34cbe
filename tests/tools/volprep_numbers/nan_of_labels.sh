# NaN of labels is the id that the user gives.
# grep: give --nan ID
# grep: v.raw: 1 NaN became 0
python3 -c 'import struct; open("v.raw", "wb").write(struct.pack("<4f", float("nan"), 1, 1, 0))'
echo '{"materials": [{"name": "a", "id": 0, "sigma_t": [0], "albedo": [0]}, {"name": "b", "id": 1, "sigma_t": [1], "albedo": [0.5]}]}' >t.json
expect_status 3 volprep v.raw --dims 2,2,1 --type f32 --materials t.json -o v.vpk
volprep v.raw --dims 2,2,1 --type f32 --materials t.json --nan 0 -o v.vpk
