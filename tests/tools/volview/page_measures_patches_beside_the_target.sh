# Page measures patches beside the target.
# grep: 0 faults
. $VOLPT_TESTS_DIR/tools/volview_serve.sh
volprep --slab $VOLPT_TESTS_DIR/../pipelines/data/chart.png --dims 60,40,4 --size 6mm,4mm,1mm --sigma-t 20 -o c.vpk -q
serve c.vpk --probe top --target-picture $VOLPT_TESTS_DIR/../pipelines/data/chart.png
client wait 4
python3 -B $VOLPT_TESTS_DIR/tools/volview_page.py server.json --check probe
