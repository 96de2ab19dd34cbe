# Links in a circle and names that are too long: a sentence and a status, whatever is asked of such a file, and never the library's own exception.
# grep: loop.pfm: cannot be looked at: Too many levels of symbolic links
# grep: FAIL  looped
# grep: FAIL  cached
# grep: pass  sound
# grep: check its name, its links, and the permissions of its folders
ln -s loop.pfm loop.pfm
ln -s folder folder
long=$(printf 'n%.0s' $(seq 300))
volmerge $VOLPT_TESTS_DIR/frozen/tiny.vpf -o a.pfm
volmerge $VOLPT_TESTS_DIR/frozen/tiny.vpf -o a.vpf
volprep --make cube --size 1mm --sigma-t 1 --albedo .9 -o c.vpk -q
cat >s.json <<'JSON'
{"schema_version": 1, "cache": "folder/cache", "pairs": [
 {"name": "looped", "test": "a.pfm", "reference": "loop.pfm"},
 {"name": "cached", "test": "a.vpf", "volume": "c.vpk"},
 {"name": "sound", "test": "a.pfm", "reference": "a.pfm"}]}
JSON
for words in '' '--update' '--update --dry-run'; do
    expect_status 1 volcompare --suite s.json $words >told 2>&1
    cat told
    expect_status 1 grep -i 'filesystem error' told
    grep -q 'pass  sound' told
done
for file in loop.pfm folder/a.pfm "$long.pfm"; do
    for line in "volcompare a.pfm $file" "volcompare --suite $file" "volinfo $file" "volmerge $file -o o.vpf" "volprep $file -o o.vpk" \
        "volprep --print $file --width 5mm --core 1mm --materials elek2017 -o o.vpk" "volprep $file --check-mesh" \
        "volprep --slab $file --dims 2,2,2 --size 1mm -o o.vpk" "volrender c.vpk --env $file --resolution 4x4 --spp 1 -o o.vpf" \
        "volprep ${file%.pfm}.stl -o o.vpk" "volprep ${file%.pfm}.tif -o o.vpk"; do
        expect_status 3 $line >told 2>&1
        cat told
        expect_status 1 grep -i 'filesystem error\|what()' told
    done
done
