"""Two DICOM series of the same slices: make_two_series.py FOLDER makes it, with a (UID ..10.6, "Thorax 1.0") and b.dcm (UID ..10.7, "Lung 1.0")."""
import os
import pathlib
import sys

seed = pathlib.Path(os.environ["VOLPT_TESTS_DIR"], "fuzz/seeds/dicom/plain.dcm").read_bytes()
folder, uid = pathlib.Path(sys.argv[1]), b"1.2.826.0.1.3680043.10.1."
folder.mkdir()
(folder / "a").write_bytes(seed)
(folder / "b.dcm").write_bytes(seed.replace(uid + b"6", uid + b"7").replace(b"Thorax 1.0", b"Lung 1.0  "))
