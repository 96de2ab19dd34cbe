# Error of images falls with the square root of samples.
# grep: "as_expected": true
# grep: "samples_source": "name"
python3 $VOLPT_TESTS_DIR/tools/make_renderings.py c.pfm 16 64 256
volcompare --convergence c_256spp.pfm c_16spp.pfm c_64spp.pfm --reference c_truth.pfm --seconds 4,1,2 --json --plot c.svg
grep -q 'over seconds' c.svg
