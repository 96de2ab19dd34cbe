# Path agrees with every integrator, however few particles reach a pixel.
volprep --make cube --dims 16,16,16 --size 1mm --sigma-t 8 --albedo .95 -o c.vpk -q
render() {
    volrender c.vpk --boundary none --env 0 --origin 0,0,6 --target 0,0,0 --up 0,1,0 --fov 16 --resolution 48x48 -q \
        --light 'sphere center=1.5,1.2,2 radius=0.3 power=10' "$@"
}
render --spp 256 -o p.vpf
render --spp 256 --seed 2 --integrator light -o l.vpf -o l.exr
render --spp 64 --seed 3 --integrator bdpt -o b.vpf
render --spp 32 --seed 4 --integrator mlt -o m.vpf -o m.exr
for film in l.vpf l.exr b.vpf m.vpf m.exr; do
    volcompare p.vpf $film --statistical
done
# grep: values are pixels joined
