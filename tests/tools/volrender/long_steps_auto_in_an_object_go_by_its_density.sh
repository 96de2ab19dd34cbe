# Long steps auto in an object go by its density.
# grep: long_steps: off
# grep: long_steps: on
printf 'solid t\n%s\nendsolid\n' "$(for f in '0 0 0 0 1 0 1 0 0' '0 0 0 1 0 0 0 0 1' '0 0 0 0 0 1 0 1 0' '1 0 0 0 1 0 0 0 1'; do
    set -- $f
    printf 'facet normal 0 0 0\nouter loop\nvertex %s %s %s\nvertex %s %s %s\nvertex %s %s %s\nendloop\nendfacet\n' $*
done)" >t.stl
for s in 5 400; do
    volprep t.stl --sigma-t $s --albedo 0.999 -o t$s.vpk -q
    volrender t$s.vpk --resolution 600x400 --spp 1 --device cpu --long-steps auto -o t$s.vpf -q
    volinfo t$s.vpf | grep long_steps:
done
