# Page has panels that do as they show.
# grep: 0 faults
. $VOLPT_TESTS_DIR/tools/volview_serve.sh
python3 -c 'import sys; sys.stdout.buffer.write(bytes(range(256)) * 2)' >v.raw
volprep v.raw --dims 4,4,32 --type u8 --pitch 0.5mm --scale 0.01 --albedo 0.9 -o n.vpk -q
serve n.vpk --resolution 160x120 --from +x
python3 -B $VOLPT_TESTS_DIR/tools/volview_page.py server.json --check panels
