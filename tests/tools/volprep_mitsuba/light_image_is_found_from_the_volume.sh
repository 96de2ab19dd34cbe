# Light image is found from the volume.
# grep: scene_hints.environment.folder: ../in/
# grep: scene_hints.environment.folder: in/lib/
mkdir -p in/lib out
printf 'Pf\n4 2\n-1.0\n' >in/lib/sky.pfm
for i in 1 2 3 4 5 6 7 8; do printf '\0\0\200\77'; done >>in/lib/sky.pfm
scene() {
    printf '<scene version="3.0.0"><medium id="m" type="homogeneous"><float name="sigma_t" value="2"/><float name="albedo" value=".5"/></medium><shape type="cube"><ref name="interior" id="m"/><bsdf type="null"/></shape><emitter type="envmap"><string name="filename" value="%s"/></emitter></scene>' "$1"
}
scene lib/sky.pfm >in/s.xml
scene "$PWD/in/lib/sky.pfm" >in/absolute.xml
for s in s absolute; do
    volprep in/$s.xml -o out/$s.vpk -q
    volprep out/$s.vpk -o $s.vpk -q
    expect_status 1 grep -aq "$PWD" out/$s.vpk $s.vpk
done
mkdir moved
mv in out s.vpk absolute.vpk moved
cd moved/in
for v in s absolute out/s out/absolute; do
    volrender ../$v.vpk -o x.vpf --spp 1 --resolution 4x4 2>>err
done
cd ../..
expect_status 1 grep -q missing moved/in/err
volinfo moved/out/s.vpk
volinfo moved/absolute.vpk
