# Map of the source values.
# grep: source_values.map: i16 from -1000 to 1000 as density 0 to 1, nothing clamped
# grep: source_values.new_map: kept: --window and --opacity map them anew
head -c 2000 /dev/zero >in.raw
volprep in.raw --dims 10,10,10 --type i16 --window -1000,1000 -o v.vpk -q
volinfo v.vpk
