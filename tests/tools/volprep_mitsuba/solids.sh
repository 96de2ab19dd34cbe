# Solids.
# grep: 2 solids with boundaries of their own
# grep: made of 81920 triangles
# grep: mean: [1.0]
# grep: lost_paths: 0
# grep: leave out --boundary
printf '<scene version="3.0.0"><shape type="sphere" id="ball"><medium name="interior" type="homogeneous"><float name="sigma_t" value="2"/><float name="albedo" value="1"/></medium><bsdf type="dielectric"/></shape><shape type="cube" id="block"><transform name="to_world"><translate x="3"/></transform><medium name="interior" type="homogeneous"><float name="sigma_t" value="9"/><float name="albedo" value="1"/></medium><bsdf type="null"/></shape></scene>' >s.xml
volprep s.xml -o s.vpk --mesh-bricks 16
volinfo s.vpk --verify full
volrender s.vpk -o s.vpf --spp 2 --resolution 16x16
volinfo s.vpf
expect_status 2 volrender s.vpk -o t.vpf --spp 1 --boundary smooth --int-ior 1.5
