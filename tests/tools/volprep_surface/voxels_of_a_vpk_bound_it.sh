# Voxels of a vpk bound it.
# grep: edges of the surface have more than two triangles
# grep: surface.triangles
# grep: is bounded by a triangle mesh already
volprep --make checker --dims 24,24,24 --size 6mm --sigma-t 8 -o c.vpk -q
volprep c.vpk --surface voxels -o v.vpk
volprep v.vpk --g 0.5 -o w.vpk
volinfo w.vpk --verify full
s=0
volprep v.vpk --surface voxels -o x.vpk || s=$?
test $s = 2
test ! -e x.vpk
