# Air in a table.
# grep: "voxels": 2
# grep: air.voxels: 2
# grep: air.materials: ["outside"]
printf '\000\001\001\000' >in.raw
echo '{"materials": [{"name": "outside", "air": true}, {"name": "B", "sigma_t": [2], "albedo": [0.5]}]}' >t.json
volprep in.raw --dims 2,2,1 --type u8 --materials t.json -o l.vpk --json
volinfo l.vpk
