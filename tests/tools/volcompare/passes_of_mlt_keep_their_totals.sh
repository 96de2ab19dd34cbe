# Passes of mlt keep their totals: merged, resumed and on any number of threads.
volprep --make cube --dims 8,8,8 --size 1mm --sigma-t 8 --albedo .95 -o c.vpk -q
render() {
    volrender c.vpk --boundary none --env 0 --resolution 8x8 -q --light 'point origin=1.5,1.2,2 power=10' --integrator mlt --reproducible "$@"
}
render --spp 6 -o a.vpf -j 2
render --samples 0:2 -o b.vpf
render --samples 2:4 -o d.vpf
volmerge d.vpf b.vpf -o m.vpf --reproducible
cmp a.vpf m.vpf
volinfo a.vpf --verify full
render --spp 2 -o e.vpf
volrender c.vpk --resume e.vpf --spp 6 -q --reproducible
cmp a.vpf e.vpf
grep -q pass_totals a.vpf
