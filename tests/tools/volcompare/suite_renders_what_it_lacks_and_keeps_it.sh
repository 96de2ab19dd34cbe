# Suite renders what it lacks and keeps it.
# grep: pass  noise (reference unchanged)
volprep --make cube --dims 8,8,8 --size 1mm,1mm,1mm --sigma-t 10 --albedo .9 -o c.vpk
volrender c.vpk -o a.vpf -o a.pfm --spp 16 --resolution 32x32
cp a.pfm b.pfm
echo '{"schema_version": 1, "cache": "kept", "pairs": [{"name": "bits", "test": "a.vpf", "volume": "c.vpk"}, {"name": "noise", "test": "a.vpf", "volume": "c.vpk", "seed": 9, "spp": 64, "statistical": true}, {"name": "image", "test": "a.pfm", "reference": "b.pfm", "threshold": "rmse<=0"}]}' >s.json
volcompare --suite s.json --json --junit j.xml --html p.html >one
test "$(ls kept | wc -l)" -eq 2
touch -d 2001-01-01 kept/*
volcompare --suite s.json
test -z "$(find kept -newermt 2002-01-01 -name '*.vpf')"
volcompare --suite s.json --update
