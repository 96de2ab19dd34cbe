# Labels by id.
# grep: "A": 0.75
printf '\007\007\001\007' >in.raw
echo '{"materials": [{"name": "A", "id": 7, "sigma_t": [1], "albedo": [0.5]}, {"name": "B", "id": 1, "sigma_t": [2], "albedo": [0.5]}]}' >t.json
volprep in.raw --dims 2,2,1 --type u8 --materials t.json -o l.vpk --json
volprep l.vpk --export l.raw --plane label
printf '\000\000\001\000' | cmp - l.raw
