# Data file of a header is not named.
# grep: Comment: kept
head -c 512 /dev/zero >smith.raw
printf 'ObjectType = Image\nNDims = 3\nDimSize = 8 8 8\nElementType = MET_UCHAR\nElementSpacing = 1 1 1\nComment = kept\nElementDataFile = smith.raw\n' >a.mhd
volprep a.mhd -o a.vpk -q
expect_status 1 grep -aq smith a.vpk
volprep a.mhd -o b.vpk --provenance full -q
grep -aq smith b.vpk
volinfo a.vpk
