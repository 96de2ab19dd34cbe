# Bash completes volpt as its programs.
c="bash $VOLPT_TESTS_DIR/tools/complete_bash.sh volpt"
: >a.vpk
$c '' >got
diff got - <<<$'prep\nrender\nview\ncompare\nmerge\ninfo\ndemo\nhelp'
$c render --boundary r >got
diff got - <<<rough
$c render '' >got
diff got - <<<a.vpk
$c compare --metric=de20 >got
diff got - <<<de2000
$c help mer >got
diff got - <<<merge
$c no_such '' >got
test ! -s got
