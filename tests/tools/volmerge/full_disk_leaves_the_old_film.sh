# Full disk leaves the old film.
# grep: x.vpf: cannot write
# grep: free some space
cp $VOLPT_TESTS_DIR/frozen/tiny.vpf x.vpf
chmod +w x.vpf
s=0
bash -euc 'ulimit -f 4; exec volmerge x.vpf $VOLPT_TESTS_DIR/frozen/tiny_rest.vpf -o x.vpf' || s=$?
test $s = 4
cmp x.vpf $VOLPT_TESTS_DIR/frozen/tiny.vpf
test "$(ls)" = x.vpf
