# Page is reachable readable and quiet.
# grep: 0 faults
. $VOLPT_TESTS_DIR/tools/volview_serve.sh
volprep --make checker --dims 8,8,8 --size 2mm --sigma-t 10 --albedo 0.9,0.8,0.6 -o c.vpk -q
serve c.vpk --resolution 160x100
python3 -B $VOLPT_TESTS_DIR/tools/volview_page.py server.json --check controls
