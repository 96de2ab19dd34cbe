# A source that misses is told.
# grep: Optode.Source: the source misses the volume
printf '%s' '{"Domain": {"OriginType": 1, "Media": [[0, 0, 1, 1], [1, 1, 0, 1]]}, "Shapes": [{"Grid": {"Tag": 1, "Size": [4, 4, 4]}}], "Optode": {"Source": {"Pos": [9, 1, 0], "Dir": [0, 0, 1]}}}' >a.json
expect_status 3 volprep a.json -o a.vpk
