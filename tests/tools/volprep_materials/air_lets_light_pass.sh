# Air lets light pass.
# grep: mean: [1.0
printf '\000' >in.raw
echo '{"materials": [{"name": "A", "air": true}, {"name": "B", "sigma_t": [2], "albedo": [0.5]}]}' >t.json
volprep in.raw --dims 1,1,1 --type u8 --materials t.json -o l.vpk
volrender l.vpk --spp 4 --resolution 4x4 --device cpu --env 1 --boundary none -o a.vpf
volinfo a.vpf
