# A file that a scene names and that is not there is an error, whatever it is.
# grep: none.ply, the file of the shape ply, is not there
# grep: the light image none.exr, named by light.xml, is not there
# grep: none.png
# grep: none.vol
scene() {
    printf '<scene version="3.0.0"><medium id="m" type="homogeneous"><float name="sigma_t" value="2"/><float name="albedo" value=".5"/></medium>'
    printf '<shape type="cube"><ref name="interior" id="m"/><bsdf type="null"/></shape>%s</scene>' "$1"
}
scene '<shape type="ply"><string name="filename" value="none.ply"/></shape>' >mesh.xml
scene '<shape type="sphere"><point name="center" x="9" y="0" z="0"/><bsdf type="diffuse"><texture type="bitmap" name="reflectance"><string name="filename" value="none.png"/></texture></bsdf></shape>' >picture.xml
printf '<scene version="3.0.0"><medium id="m" type="heterogeneous"><volume name="sigma_t" type="gridvolume"><string name="filename" value="none.vol"/></volume></medium><shape type="cube"><ref name="interior" id="m"/></shape></scene>' >grid.xml
for s in mesh picture grid; do expect_status 3 volprep $s.xml -q -o x.vpk; done
test ! -e x.vpk
scene '<emitter type="envmap"><string name="filename" value="none.exr"/></emitter>' >light.xml
volprep light.xml -q -o light.vpk
expect_status 3 volprep light.xml --strict -o x.vpk
expect_status 3 volrender light.vpk -q --spp 1 --resolution 4x4 -o x.vpf
test ! -e x.vpf
volrender light.vpk -q --env 2 --spp 1 --resolution 4x4 -o x.vpf
volrender light.vpk -q --hints off --spp 1 --resolution 4x4 -o y.vpf
volrender light.vpk -q --probe top --dpi 20 --spp 1 -o z.vpf
