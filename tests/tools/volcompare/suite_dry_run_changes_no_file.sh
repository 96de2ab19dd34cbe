# Suite dry run changes no file.
# grep: changed: largest difference
# grep: would be b.before.pfm
# grep: reference would be changed:
# grep: new (reference would be made from the test)
# grep: reference would be rendered for the first time
volprep --make cube --dims 8,8,8 --size 1mm,1mm,1mm --sigma-t 10 --albedo .9 -o c.vpk
volrender c.vpk -o a.pfm -o a.vpf --spp 4 --resolution 16x16 --seed 1
volrender c.vpk -o b.pfm --spp 4 --resolution 16x16 --seed 2
echo '{"schema_version": 1, "cache": "kept", "pairs": [{"test": "a.pfm", "reference": "b.pfm"}, {"name": "new", "test": "a.pfm", "reference": "none.pfm"}, {"test": "a.vpf", "volume": "c.vpk"}]}' >s.json
ls -R >before
sum=$(cat b.pfm | sha256sum)
volcompare --suite s.json --update --dry-run
ls -R >after
cmp <(grep -v after before) <(grep -v after after)
test "$sum" = "$(cat b.pfm | sha256sum)"
