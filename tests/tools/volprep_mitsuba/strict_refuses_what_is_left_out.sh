# --strict: what a note would tell is status 3, and nothing is written.
# grep: emitter sky
# grep: with --strict
# grep: and 1 more notes
# grep: the mesh's colours are left out
# grep: 1 mm is assumed
scene() {
    printf '<scene version="3.0.0"><medium id="m" type="homogeneous"><float name="sigma_t" value="2"/><float name="albedo" value=".5"/></medium>'
    printf '<shape type="cube"><ref name="interior" id="m"/><bsdf type="null"/></shape><emitter type="constant"/>%s</scene>' "$1"
}
scene '' >s.xml
volprep s.xml --strict -o s.vpk
scene '<emitter type="sky"/>' >t.xml
volprep t.xml -o t.vpk
expect_status 3 volprep t.xml --strict -o u.vpk
scene '<emitter type="sky"/><integrator type="volpath"><integer name="max_depth" value="9"/></integrator>' >v.xml
expect_status 3 volprep v.xml --strict -o u.vpk
printf 'ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\nproperty uchar red\nproperty uchar green\nproperty uchar blue\nelement face 4\nproperty list uchar int vertex_indices\nend_header\n0 0 0 255 0 0\n1 0 0 255 0 0\n0 1 0 255 0 0\n0 0 1 255 0 0\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n' >m.ply
volprep m.ply -o m.vpk
expect_status 3 volprep m.ply --strict -o u.vpk
head -c 64 /dev/zero >in.raw
expect_status 3 volprep in.raw --dims 4,4,4 --type u8 --strict -o u.vpk
volprep in.raw --dims 4,4,4 --type u8 --pitch 1mm --strict -o w.vpk
test ! -e u.vpk
