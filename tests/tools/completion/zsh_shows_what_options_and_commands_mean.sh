# Zsh shows what options and commands mean.
# grep: --env-up
# grep: -- world axis that points up in the light
# grep: -- Path-traces a packed volume into a film
command -v python3 >/dev/null || { echo 'skipped: no python3'; exit 77; }
s="python3 -B $VOLPT_TESTS_DIR/tools/complete_in_shell.py zsh"
$s 'volrender --env-' || exit $?
$s 'volpt '
