# Bash completes metrics and maps by name.
c="bash $VOLPT_TESTS_DIR/tools/complete_bash.sh volcompare"
$c a.exr b.exr --metric '' >got
for m in rmse flip de2000 ssim; do grep -qx $m got; done
expect_status 1 grep -qx difference got
: >m.exr
$c --metric=de9 >got
diff got - <<<de94
$c --map diff >got
diff got - <<<difference
$c a.exr b.exr --map flip '' >got
diff got - <<<m.exr
