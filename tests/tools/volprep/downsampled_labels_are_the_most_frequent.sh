# Downsampled labels are the most frequent.
# grep: 1   1
# grep: pitch_mm: [2.0,2.0,2.0]
echo '{"materials": [{"name": "A", "id": 2, "sigma_t": [1], "albedo": [0.9]}, {"name": "B", "id": 7, "sigma_t": [2], "albedo": [0.9]}]}' >t.json
printf '\007\002\007\002\007\007\007\007' >in.raw
volprep in.raw --dims 4,2,1 --type u8 --pitch 1mm --materials t.json --downsample 2 -o v.vpk
volprep v.vpk --export v.raw --plane label
od -An -tu1 v.raw
volinfo v.vpk
