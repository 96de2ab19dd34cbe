# Suite update keeps a reference that two tests claim.
# grep: is the reference of '1.pfm' and of '2.pfm', whose tests differ
# grep: is the reference of '2.pfm' and of '1.pfm'
volprep --make cube --dims 8,8,8 --size 1mm,1mm,1mm --sigma-t 10 --albedo .9 -o c.vpk
for seed in 1 2 3; do volrender c.vpk -o $seed.pfm --spp 4 --resolution 16x16 --seed $seed; done
cp 3.pfm old.pfm
echo '{"schema_version": 1, "pairs": [{"test": "1.pfm", "reference": "3.pfm"}, {"test": "2.pfm", "reference": "./3.pfm"}]}' \
    >s.json
expect_status 1 volcompare --suite s.json --update
cmp 3.pfm old.pfm
