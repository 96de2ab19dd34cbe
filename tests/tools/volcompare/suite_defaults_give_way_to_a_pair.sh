# Suite defaults give way to a pair.
# grep: pass  1.pfm
# grep: pass  same
volprep --make cube --dims 8,8,8 --size 1mm,1mm,1mm --sigma-t 10 --albedo .9 -o c.vpk
for seed in 1 2; do volrender c.vpk -o $seed.pfm --spp 4 --resolution 16x16 --seed $seed; done
echo '{"schema_version": 1, "defaults": {"threshold": "rmse<0"}, "pairs": [{"test": "1.pfm", "reference": "2.pfm", "threshold": "rmse<9"}, {"name": "same", "test": "1.pfm", "reference": "1.pfm", "threshold": null}]}' >s.json
volcompare --suite s.json
