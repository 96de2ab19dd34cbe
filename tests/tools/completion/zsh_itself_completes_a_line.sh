# Zsh itself completes a line.
# grep: line: volrender --boundary smooth |
# grep: line: volrender --boundary=smooth |
# grep: line: volrender a\ b.vpk |
# grep: line: volrender --kernel scalar |
# grep: line: volcompare --metric de2000 |
# grep: line: volprep --materials elek2017_36 |
# grep: line: volpt compare --map difference c.png |
# grep: line: volrender --ground diffuse:|
# grep: line: volpt help merge |
command -v python3 >/dev/null || { echo 'skipped: no python3'; exit 77; }
s="python3 -B $VOLPT_TESTS_DIR/tools/complete_in_shell.py zsh"
$s 'volrender --boundary sm' || exit $?
mkdir folder
: >'a b.vpk'
: >c.png
$s 'volrender --boundary=sm'
$s 'volrender a'
$s 'volrender --kernel sca'
$s 'volcompare --metric de20'
$s 'volprep --materials elek2017_'
$s 'volpt compare --map difference c'
$s 'volrender --ground dif'
$s 'volpt help mer'
