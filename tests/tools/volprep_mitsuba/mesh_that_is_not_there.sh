# Mesh that is not there.
# grep: left out:
# grep: none.ply is not there
printf '<scene version="3.0.0"><shape type="cube"><medium name="interior" type="homogeneous"><float name="sigma_t" value="2"/><float name="albedo" value=".5"/></medium><bsdf type="null"/></shape><shape type="ply"><string name="filename" value="none.ply"/></shape></scene>' >s.xml
volprep s.xml -o s.vpk
