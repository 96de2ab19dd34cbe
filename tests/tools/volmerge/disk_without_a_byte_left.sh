# Disk without a byte left.
# grep: No space left
mkdir disk
mount -t tmpfs -o size=16k none disk 2>/dev/null || { echo 'skipped: this user may not mount a file system'; exit 77; }
trap 'umount disk' EXIT
cp $VOLPT_TESTS_DIR/frozen/tiny.vpf t.vpf
echo old >disk/x.vpf
status=0
volmerge t.vpf -o disk/x.vpf || status=$?
test $status = 4
test "$(cat disk/*)" = old
