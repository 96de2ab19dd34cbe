# Folders and lists name the films.
mkdir parts
cp $VOLPT_TESTS_DIR/frozen/tiny.vpf parts/a.vpf
cp $VOLPT_TESTS_DIR/frozen/tiny_rest.vpf parts/b.vpf
touch parts/b.vpf.tmp-1-0
volmerge parts -o 1.vpf --reproducible --expect 0:6
ls parts/*.vpf | volmerge --inputs - -o 2.vpf --reproducible
ls parts/b.vpf >list
volmerge parts/a.vpf --inputs list -o 3.vpf --reproducible
cmp 1.vpf 2.vpf
cmp 1.vpf 3.vpf
