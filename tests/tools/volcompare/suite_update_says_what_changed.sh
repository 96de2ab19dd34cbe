# Suite update says what changed.
# grep: changed: largest difference
# grep: the one before is b.before.pfm
volprep --make cube --dims 8,8,8 --size 1mm,1mm,1mm --sigma-t 10 --albedo .9 -o c.vpk
volrender c.vpk -o a.pfm --spp 4 --resolution 16x16 --seed 1
volrender c.vpk -o b.pfm --spp 4 --resolution 16x16 --seed 2
echo '{"schema_version": 1, "pairs": [{"test": "a.pfm", "reference": "b.pfm"}]}' >s.json
cp b.pfm old.pfm
volcompare --suite s.json --update
cmp a.pfm b.pfm
cmp old.pfm b.before.pfm
touch -d 2001-01-01 b.pfm
volcompare --suite s.json --update
cmp old.pfm b.before.pfm
test -z "$(find b.pfm -newermt 2002-01-01)"
