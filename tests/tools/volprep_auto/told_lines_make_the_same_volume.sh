# The line that --auto tells makes the same file, of every kind; so does the one that volrender tells.
kinds='ct.mha bad.nrrd cells.nrrd slices photos cube.stl turned.stl cube.ply drawing.png'
python3 -B "$VOLPT_TESTS_DIR/tools/make_foreign.py" $kinds
python3 -B "$VOLPT_TESTS_DIR/tools/make_job.py" job.gcvf
for file in $kinds job.gcvf; do
    volprep $file --auto --reproducible -o a.vpk 2>err >/dev/null
    line=$(sed -n 's/.*; the same by \(volprep .*\)$/\1/p' err)
    echo "$line"
    mv a.vpk auto.vpk
    bash -euc "$line -q"
    cmp a.vpk auto.vpk
    volrender $file -o a.vpf --resolution 8x8 --spp 1 2>err >/dev/null
    line=$(sed -n 's/.*which options change: \(volprep .*\)$/\1/p' err)
    echo "$line"
    bash -euc "$line --reproducible -q"
    cmp auto.vpk "${file%.*}.vpk"
done

# Names that begin with a dash.
mv cells.nrrd -- -c.nrrd
mv drawing.png -- -d.png
for file in -c.nrrd -d.png; do
    volprep --auto --reproducible -o a.vpk -- $file 2>err >/dev/null
    line=$(sed -n 's/.*; the same by \(volprep .*\)$/\1/p' err)
    echo "$line"
    mv a.vpk auto.vpk
    bash -euc "$line"
    cmp a.vpk auto.vpk
    volrender -o a.vpf --resolution 8x8 --spp 1 -- $file 2>err >/dev/null
    line=$(sed -n 's/.*which options change: \(volprep .*\)$/\1/p' err)
    echo "$line"
    bash -euc "$line --reproducible -q"
    cmp auto.vpk "./${file%.*}.vpk"
done
