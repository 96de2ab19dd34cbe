# Examples keep the view continue films and are compared.
# grep: equal
# grep: blocks p
command -v make >/dev/null || { echo 'skipped: no make'; exit 77; }
ln -s $VOLPT_TESTS_DIR/../Makefile.examples $VOLPT_TESTS_DIR/../pipelines .
m="make -f Makefile.examples OUT=$PWD/o DATA=$PWD/none"
$m $PWD/o/cgg-logo.vpf SPP=2 >1
expect_status 1 grep -e '--resume' 1
volinfo o/cgg-logo.vpf | grep 'scene.camera.fov_x_deg: 0.7'
$m check SPP=4 >2 2>&1
grep -e '--resume' 2
volinfo o/cgg-logo.vpf | grep film_hash >3
rm o/cgg-logo.*
$m $PWD/o/cgg-logo.exr SPP=4 >4 2>&1
expect_status 1 grep -e '--resume' 4
volinfo o/cgg-logo.vpf | grep film_hash | cmp - 3
tail -n 40 2
