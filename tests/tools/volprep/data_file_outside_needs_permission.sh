# Data file outside needs permission.
# grep: ElementDataFile
# grep: lies outside the header's folder
# grep: give --allow-outside
printf 'abcdefgh' >secret
mkdir in
printf 'NDims = 3\nDimSize = 2 2 2\nElementType = MET_UCHAR\nElementDataFile = %s\n' "$PWD/secret" >in/h.mhd
s=0
volprep in/h.mhd -o v.vpk || s=$?
test $s = 3
test ! -e v.vpk
volprep in/h.mhd --allow-outside -o v.vpk
volprep v.vpk --export o.raw
cmp o.raw secret
