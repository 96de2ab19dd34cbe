# Closed stdin changes nothing.
volprep --make sphere --dims 12,12,12 --size 1mm -o s.vpk -q
volprep s.vpk --export s.vdb
volprep s.vdb -o t.vpk <&-
volprep s.vdb -o u.vpk </dev/null
volprep s.vdb -o w.vpk 2>&-
s=0
volprep s.vdb -o x.vpk >&- || s=$?
test $s = 4
volprep t.vpk --export t.raw
volprep u.vpk --export u.raw
cmp t.raw u.raw
