# Bash completes files by their kind.
c="bash $VOLPT_TESTS_DIR/tools/complete_bash.sh"
mkdir folder
for f in a.vpk b.VPK c.vpf d.exr e.txt f.nii.gz g.stl h.png 'i j.vpk'; do : >"$f"; done
for program in volrender volview; do
    $c $program '' >got
    diff got - <<<$'a.vpk\nb.VPK\nf.nii.gz\nfolder\ng.stl\ni j.vpk'
done
$c volprep '' >got
for f in a.vpk f.nii.gz g.stl folder; do grep -qx "$f" got; done
expect_status 1 grep -e txt -e vpf got
$c volcompare c '' >got
for f in c.vpf d.exr h.png; do grep -qx "$f" got; done
expect_status 1 grep vpk got
$c volmerge c.vpf '' >got
diff got - <<<$'c.vpf\nfolder'
$c volrender --resume= >got
diff got - <<<$'c.vpf\nfolder'
$c volinfo '' >got
for f in a.vpk b.VPK c.vpf f.nii.gz folder; do grep -qx "$f" got; done
expect_status 1 grep -e txt -e stl got
$c volinfo a.vpk --slice 0 '' >got
diff got - <<<$'d.exr\nfolder\nh.png'
$c volrender --bank-cache '' >got
diff got - <<<$'off\nfolder'
$c volrender --config '' >got
grep -qx e.txt got
$c volrender a.vpk '' >got
test ! -s got
