# Contradictions are told.
volprep --make sphere --dims 8,8,8 --size 4mm -o s.vpk -q
volprep s.vpk --export s.mha
volprep --make sphere --dims 9,8,8 --size 4mm -o t.vpk -q
volprep t.vpk --export t.mha
printf '\0\0\200\77\0\0\200\77' >one.raw
printf '\0\0\200\77\0\0\300\177' >nan.raw
printf '\0\0\200\77\0\0\200\277' >minus.raw
refuse() {
    want=$1
    shift
    s=0
    volprep "$@" -o x.vpk 2>err >out || s=$?
    test $s = $want || { cat err; return 1; }
}
refuse 2 s.mha --emission 1 --emission-file s.mha
grep -q 'one of them' err
refuse 2 s.mha --emission-from blackbody
grep -q 'without an emission' err
refuse 2 s.mha --emission 1 --temperature-scale 2
grep -q 'for temperatures' err
refuse 2 s.vpk --emission 1
grep -q 'source file again' err
refuse 2 s.mha --emission -1
refuse 2 s.mha --emission-grid t
grep -q OpenVDB err
refuse 3 s.mha --emission-file t.mha
grep -q 'same voxels' err
refuse 2 s.mha --emission 1,2
grep -q '2 numbers for 1 bands' err
refuse 2 --make cube --size 1mm --emission-file s.mha
grep -q 'give --emission' err
refuse 3 one.raw --dims 2,1,1 --type f32 --emission-file nan.raw
grep -q 'no emission' err
refuse 3 one.raw --dims 2,1,1 --type f32 --emission-file minus.raw
grep -q 'voxel 1,0,0' err
refuse 3 s.mha --albedo 1 --emission-file s.mha --emission-from radiance-per-mm
grep -q 'nothing absorbs' err
