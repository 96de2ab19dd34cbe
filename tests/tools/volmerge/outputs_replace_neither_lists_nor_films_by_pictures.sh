# Outputs replace neither lists nor films by pictures.
cp $VOLPT_TESTS_DIR/frozen/tiny.vpf t.vpf
ln -s t.vpf t.exr
echo t.vpf >list.png
sum=$(cat t.vpf list.png | sha256sum)
for o in '-o t.exr' '-o list.png --inputs list.png'; do
    s=0
    volmerge t.vpf $o 2>err || s=$?
    test $s = 2
    grep -q 'same file' err || exit 1
done
test "$sum" = "$(cat t.vpf list.png | sha256sum)"
volmerge t.vpf -o t.vpf
