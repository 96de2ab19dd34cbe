# Light image.
# grep: scene.environment.kind: image
# grep: the light image sky.pfm, named by s.xml, is not there
# grep: 3 bands
mkdir lib
printf 'Pf\n4 2\n-1.0\n' >lib/sky.pfm
for i in 1 2 3 4 5 6 7 8; do printf '\0\0\200\77'; done >>lib/sky.pfm
printf '<scene version="3.0.0"><medium id="m" type="homogeneous"><float name="sigma_t" value="2"/><float name="albedo" value=".5"/></medium><shape type="cube"><ref name="interior" id="m"/><bsdf type="null"/></shape><emitter type="envmap"><string name="filename" value="sky.pfm"/><transform name="to_world"><rotate y="1" angle="40"/></transform></emitter></scene>' >lib/s.xml
volprep lib/s.xml -o s.vpk
volrender s.vpk -o a.vpf --spp 2 --resolution 20x20 --reproducible
volrender s.vpk -o b.vpf --spp 2 --resolution 20x20 --env lib/sky.pfm --env-rotate 40 --reproducible
cmp a.vpf b.vpf
volrender s.vpk --resume a.vpf --spp 3
volinfo a.vpf
rm lib/sky.pfm
expect_status 3 volrender s.vpk -q -o c.vpf --spp 1 --resolution 20x20
volrender s.vpk -o c.vpf --spp 1 --resolution 20x20 --env 1
