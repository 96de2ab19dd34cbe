# Scene.
# grep: sample_ranges.0.samples: 0:3
# grep: scene.boundary.int_ior: 1.5046
# grep: camera, resolution, samples, environment, boundary from s.xml
printf '<scene version="3.0.0"><default name="spp" value="3"/><medium id="m" type="homogeneous"><float name="sigma_t" value="2"/><float name="albedo" value=".5"/></medium><shape type="cube"><ref name="interior" id="m"/><bsdf type="dielectric"/></shape><sensor type="perspective"><float name="fov" value="40"/><transform name="to_world"><lookat origin="0,0,6" target="0,0,0" up="0,1,0"/></transform><film type="hdrfilm"><integer name="width" value="20"/><integer name="height" value="10"/></film><sampler type="independent"><integer name="sample_count" value="$spp"/></sampler></sensor><emitter type="constant"/></scene>' >s.xml
volprep s.xml -o s.vpk
volrender s.vpk -o s.vpf --reproducible
volrender s.vpk -o t.vpf --reproducible --origin 0,0,6 --target 0,0,5 --up 0,1,0 --fov 40 --hints off --int-ior 1.5046 \
    --ext-ior 1.000277 --resolution 20x10 --spp 3 --boundary smooth
cmp s.vpf t.vpf
volinfo s.vpf
volrender s.vpk -v -o u.vpf --spp 1
