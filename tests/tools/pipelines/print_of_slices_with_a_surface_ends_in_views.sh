# Print of slices with a surface ends in views.
mkdir s
python3 -B -c 'import sys; sys.path.insert(0, sys.argv[1]); from png import write_png; rows = [b"".join(b"\0\0\0" if x in (0, 5) or y in (0, 5) else b"\xff\xff\xff" for x in range(6)) for y in range(6)]; [write_png(f"s/{i}.png", 6, 6, rows) for i in range(5)]' $VOLPT_TESTS_DIR/../pipelines
bash $VOLPT_TESTS_DIR/../pipelines/print_texture.sh s out AIR=black PITCH=0.2mm SURFACE=smooth VIEW_SPP=1
grep -q '<figcaption>left</figcaption>' out/sheet.html
