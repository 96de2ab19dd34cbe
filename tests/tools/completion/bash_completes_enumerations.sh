# Bash completes enumerations.
c="bash $VOLPT_TESTS_DIR/tools/complete_bash.sh volrender"
$c head.vpk --boundary '' >got
diff got - <<<$'none\nsmooth\nrough'
$c --boundary s >got
diff got - <<<smooth
$c --from - >got
diff got - <<<$'-x\n-y\n-z'
$c --integrator '' >got
diff got - <<<$'path\nlight\nbdpt\nmlt'
$c --illuminant D >got
diff got - <<<$'D50\nD65'
$c --ground d >got
diff got - <<<diffuse:
$c --light s >got
grep -qx sphere got
