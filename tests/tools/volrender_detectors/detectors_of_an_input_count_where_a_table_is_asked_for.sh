# Detectors of an input count where a table is asked for.
printf '%s' '{"Domain": {"OriginType": 1, "Media": [[0, 0, 1, 1], [0.1, 1, 0, 1]]}, "Shapes": [{"Grid": {"Tag": 1, "Size": [4, 4, 4]}}], "Optode": {"Source": {"Pos": [2, 2, 0], "Dir": [0, 0, 1]}, "Detector": [{"Pos": [2, 2, 4], "R": 1}, {"Pos": [1, 1, 0], "R": 0.5}]}}' >a.json
volprep a.json -o a.vpk -q
volrender a.vpk --spp 5000 -o d.csv --json >a.txt
volrender a.vpk --spp 5000 -o e.csv -q --detector 'disc center=2,2,4 radius=1' --detector 'disc center=1,1,0 radius=0.5'
cmp d.csv e.csv
test $(wc -l <d.csv) = 3
grep -q '"detectors"' a.txt
