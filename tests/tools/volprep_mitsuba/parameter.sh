# Parameter.
# grep: constant, sigma_t 7/mm
# grep: 0.75, Mitsuba's default
printf '<scene version="3.0.0"><default name="s" value="3"/><medium id="m" type="homogeneous"><float name="sigma_t" value="$s"/></medium><shape type="cube"><ref name="interior" id="m"/></shape></scene>' >s.xml
volprep s.xml -D s=7 -o s.vpk
