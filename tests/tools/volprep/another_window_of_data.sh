# Another window of data.
# grep: u16 in steps of 0.001
# grep: values     i16 from -200 to 800 as density 0 to 1
file=$VOLPT_TEST_DATA/elastix/3DCT_lung.mha
volprep $file --window -1000,1000 -o ct.vpk --reproducible -q
volprep ct.vpk --window -200,800 -o bone.vpk --reproducible
volprep $file --window -200,800 -o due.vpk --reproducible -q
cmp bone.vpk due.vpk
file=$VOLPT_TEST_DATA/pyvista-data/headsq_64x64x93.mhd
volprep $file -o h.vpk --reproducible -q
volprep h.vpk --opacity 500:0,1100:1,4000:0 --transfer grey-red-blue -o a.vpk --reproducible -q
volprep $file --opacity 500:0,1100:1,4000:0 --transfer grey-red-blue -o b.vpk --reproducible
cmp a.vpk b.vpk
