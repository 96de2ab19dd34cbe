# The answer names every rank.
volprep --make cube --dims 1,1,1 --size 1mm -o c.vpk -q
bash $VOLPT_TESTS_DIR/tools/mpi_run.sh 3 volrender c.vpk -o c.vpf --spp 64 --resolution 64x64 --device cpu -j 1 --json >answer
python3 -c '
import json
w = json.load(open("answer"))["workers"]
assert [e.get("place", "")[:7] for e in w] == ["", "rank 1 ", "rank 2 "] or sorted(e.get("place", "")[:7] for e in w) == [
    "",
    "rank 1 ",
    "rank 2 ",
], w
assert sum(e["paths"] for e in w) == 64**3, w
'
