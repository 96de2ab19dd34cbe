# Downsampled segments are told.
# grep: the numbers look like labels: integers (3 = skull)
printf 'NRRD0004\ntype: unsigned char\ndimension: 3\nsizes: 2 2 2\nencoding: raw\nSegment0_Name:=skull\nSegment0_LabelValue:=3\n\n\0\3\3\0\0\0\3\3' >s.nrrd
volprep s.nrrd --downsample 2 -o d.vpk
volprep s.nrrd --downsample 2 --window 0,3 -o w.vpk 2>err
expect_status 1 grep 'look like labels' err
