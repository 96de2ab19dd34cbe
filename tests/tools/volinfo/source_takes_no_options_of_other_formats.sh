# Source takes no options of other formats.
# grep: --dims has no meaning for slices
# grep: --density-grid has no meaning for a.mha, which is no OpenVDB file
printf 'NDims = 3\nDimSize = 1 1 1\nElementType = MET_UCHAR\nElementDataFile = LOCAL\n\1' >a.mha
mkdir s
for o in 's --dims 1,1,1' 's --type u8' 's --density-grid d' 'a.mha --density-grid d' \
    'a.mha --dims 1,1,1 --type u8 --density-grid d'; do
    s=0
    volinfo $o 2>err || s=$?
    cat err
    test $s = 2
    grep -q 'has no meaning for' err || exit 1
done
