# Labels export.
# grep: --plane label
printf '{"materials": [{"name": "A", "colour": "#000000", "sigma_t": [1], "albedo": [0.5]}, {"name": "B", "colour": "#ffffff", "sigma_t": [2], "albedo": [0.5]}]}' >p.json
volprep --make checker --dims 16,8,8 --size 1mm -o c.vpk
mkdir s
volprep c.vpk --export 's/%d.png'
volprep c.vpk --export c.raw
tr '\001' '\377' <c.raw >d.raw
volprep d.raw --dims 16,8,8 --type u8 --pitch 1 -o d.vpk
volprep d.vpk --export 's/%d.png'
volprep s --pitch 1 --palette p.json -o l.vpk
volprep l.vpk --export l.nrrd --plane label
tail -c 1024 l.nrrd | cmp - c.raw
s=0
volprep l.vpk --export l.mha || s=$?
test $s = 2
