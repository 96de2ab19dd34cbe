# Gates of the input cut no film.
# grep: would lack the light
printf '%s' '{"Domain": {"OriginType": 1, "Media": [[0, 0, 1, 1], [1, 1, 0, 1]]}, "Shapes": [{"Grid": {"Tag": 1, "Size": [4, 4, 4]}}], "Forward": {"T0": 0, "T1": 1e-9, "Dt": 1e-9}, "Optode": {"Source": {"Pos": [1, 1, 0], "Dir": [0, 0, 1]}}}' >a.json
volprep a.json -o a.vpk -q
expect_status 2 volrender a.vpk --tally absorbed -o d.mha -o c.vpf
