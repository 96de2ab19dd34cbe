# The light image of a Mitsuba scene is found, though the volume has no place.
mkdir scene
printf 'Pf\n4 2\n-1.0\n' >scene/sky.pfm
for i in 1 2 3 4 5 6 7 8; do printf '\0\0\200\77'; done >>scene/sky.pfm
printf '<scene version="3.0.0"><medium id="m" type="homogeneous"><float name="sigma_t" value="2"/><float name="albedo" value=".5"/></medium><shape type="cube"><ref name="interior" id="m"/><bsdf type="null"/></shape><emitter type="envmap"><string name="filename" value="sky.pfm"/></emitter></scene>' >scene/s.xml
volrender scene/s.xml -o a.vpf --resolution 16x16 --spp 2
volprep scene/s.xml -o s.vpk -q
volrender s.vpk -o b.vpf --resolution 16x16 --spp 2 -q
test "$(volinfo a.vpf --json | grep film_hash)" = "$(volinfo b.vpf --json | grep film_hash)"
