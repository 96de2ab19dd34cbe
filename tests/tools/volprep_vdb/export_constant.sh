# Export constant.
volprep --make sphere --dims 40,40,40 --size 1mm --sigma-t 3 -o c.vpk
volprep c.vpk --export c.vdb
volprep c.vdb -o d.vpk
volinfo c.vpk --json >c.json
volinfo d.vpk --json >d.json
for k in constant_bricks bricks; do
    test "$(grep -o "\"$k\": *[0-9]*" c.json)" = "$(grep -o "\"$k\": *[0-9]*" d.json)"
done
