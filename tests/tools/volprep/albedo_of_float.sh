# Albedo of float.
# grep: type f32
volprep --make checker --dims 8,8,16 --size 1mm -o c.vpk
volprep c.vpk --export c.mha
volprep c.mha --transfer grey-red-blue -o t.vpk
volprep t.vpk --export t.mha --plane albedo
volprep t.mha -o u.vpk
volprep u.vpk --export u.raw --plane albedo
tail -c 12288 t.mha | cmp - u.raw
