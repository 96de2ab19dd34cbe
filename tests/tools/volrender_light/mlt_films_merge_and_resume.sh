# Mlt films merge and resume.
volprep --make cube --dims 1,1,1 --size 1mm --sigma-t 2 --albedo 0.9 -o c.vpk -q
L='sphere center=0,0,3 radius=1 power=1'
r() {
    volrender c.vpk --reproducible -q --resolution 70x66 --integrator mlt --heuristic power --mutations 8 --bootstrap 4 \
        --chains 100 --longest 3 --light "$L" "$@"
}
r --spp 8 -j1 -o all.vpf
r --spp 8 -j2 -o two.vpf
cmp all.vpf two.vpf
r --samples 0:3 -o a.vpf
r --samples 3:5 -j2 -o b.vpf
volmerge b.vpf a.vpf -o m.vpf --reproducible
cmp all.vpf m.vpf
r --resume a.vpf --spp 8
cmp all.vpf a.vpf
volinfo --verify full m.vpf
for field in heuristic mlt.mutations mlt.bootstrap mlt.chains mlt.longest; do
    volinfo m.vpf | grep -q scene.$field
done
s=0
volrender c.vpk --resume all.vpf --spp 9 --longest 4 2>err || s=$?
test $s = 2
grep -q mlt.longest err
