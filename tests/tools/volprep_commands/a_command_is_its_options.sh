# A command is its options.
# grep: all commands are alike
chart=$VOLPT_TESTS_DIR/../pipelines/data/chart.png
printf 'ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\nelement face 4\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n2 0 0\n0 2 0\n0 0 2\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n' >t.ply
# same OLD.. -- NEW..: both write a volume of the same bytes.
same() {
    local old=()
    while [[ $1 != -- ]]; do
        old+=("$1")
        shift
    done
    shift
    rm -f old.vpk new.vpk
    volprep "${old[@]}" --reproducible -q -o old.vpk
    volprep "$@" --reproducible -q -o new.vpk
    cmp old.vpk new.vpk
}
same --make cube --size 1mm --sigma-t 3 -- make cube --size 1mm --sigma-t 3
same --make sphere --dims 8,8,8 --size 1mm -- make sphere --dims 8,8,8 --size 1mm
same --slab "$chart" --dims 6,4,10 --size 6mm,4mm,1mm -- make slab "$chart" --dims 6,4,10 --size 6mm,4mm,1mm
picture=(--size '3mm,2mm' --core 1mm --materials elek2017)
same --print "$chart" "${picture[@]}" -- print "$chart" "${picture[@]}"
mesh=(--size ',,1mm' --ink-depth 0.2mm --colour '#c08040' --materials elek2017)
same t.ply --print-mesh "${mesh[@]}" -- print t.ply "${mesh[@]}"
same t.ply --sigma-t 2 --albedo .9 -- pack t.ply --sigma-t 2 --albedo .9
same --make noise --dims 8,8,8 --size 1mm -- make noise --size 1mm --dims 8,8,8
volprep new.vpk --export old.mha
volprep export new.vpk new.mha
cmp old.mha new.mha
volprep export new.vpk -o again.mha
cmp old.mha again.mha
volprep t.ply --check-mesh --json >old.json
volprep check t.ply --json >new.json
cmp old.json new.json
echo 'all commands are alike'
