# Solids that overlap.
# grep: the shape sphere 'ball' and the shape cube 'block' overlap
printf '<scene version="3.0.0"><medium id="m" type="homogeneous"><float name="sigma_t" value="2"/></medium><shape type="sphere" id="ball"><ref name="interior" id="m"/></shape><shape type="cube" id="block"><ref name="interior" id="m"/></shape></scene>' >s.xml
expect_status 3 volprep s.xml -o s.vpk
