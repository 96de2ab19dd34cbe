# Emitters.
# grep: left out: emitter projector
# grep: emitters   point origin=0,0,5 intensity=1
# grep: emitters: ["point
# grep: mesh first=0 triangles=2 radiance=3
printf '<scene version="3.0.0"><medium id="m" type="homogeneous"><float name="sigma_t" value="2"/></medium><shape type="cube"><ref name="interior" id="m"/><bsdf type="null"/></shape><emitter type="point"><point name="position" x="0" y="0" z="5"/></emitter><shape type="rectangle"><emitter type="area"><float name="radiance" value="3"/></emitter><transform name="to_world"><translate z="-3"/></transform></shape><emitter type="projector"/></scene>' >s.xml
volprep s.xml -o s.vpk
volinfo s.vpk --verify full
