# Bash itself completes a line.
# grep: line: volrender --boundary smooth |
# grep: line: volrender --boundary=smooth |
# grep: line: volrender a\ b.vpk |
# grep: line: volpt compare --metric de2000 |
# grep: line: volrender --ground=diffuse:|
command -v python3 >/dev/null || { echo 'skipped: no python3'; exit 77; }
s="python3 -B $VOLPT_TESTS_DIR/tools/complete_in_shell.py bash"
mkdir 'of scenes'
: >'a b.vpk'
$s 'volrender --boundary sm'
$s 'volrender --boundary=sm'
$s 'volrender a'
$s 'volpt compare --metric de20'
$s 'volrender --ground=dif'
