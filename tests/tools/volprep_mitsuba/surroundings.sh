# Surroundings.
# grep: made of triangles, 256 around: shape disk 'plate'
# grep: the shape cube 'toy' is left out: the bsdf plastic is not supported
printf '<scene version="3.0.0"><medium id="m" type="homogeneous"><float name="sigma_t" value="2"/></medium><shape type="cube"><ref name="interior" id="m"/><bsdf type="null"/></shape><shape type="disk" id="plate"><transform name="to_world"><translate z="-3"/></transform></shape><shape type="cube" id="toy"><bsdf type="plastic"/></shape></scene>' >s.xml
volprep s.xml -o s.vpk
