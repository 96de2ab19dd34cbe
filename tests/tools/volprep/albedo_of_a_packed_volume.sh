# Albedo of a packed volume.
# grep: constant, 0.5, 0.25
# grep: 3 bands
# grep: the transfer table has the albedo
volprep --make noise --dims 9,8,8 --size 1mm -o a.vpk -q
volprep a.vpk --albedo .5,.25 -o b.vpk
volprep a.vpk --transfer green-red-blue -o c.vpk
volinfo c.vpk --verify full >/dev/null
s=0
volprep a.vpk --transfer green-red-blue --albedo .5 -o d.vpk || s=$?
test $s = 2
