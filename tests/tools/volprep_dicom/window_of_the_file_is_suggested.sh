# Window of the file is suggested.
# grep: format: dicom
# grep: suggested_option: --window -160,239
# grep: source_metadata.modality: CT
# grep: values.min: -1013
volinfo $VOLPT_TESTS_DIR/fuzz/seeds/dicom/plain.dcm --histogram
volinfo $VOLPT_TESTS_DIR/fuzz/seeds/dicom/plain.dcm --header --json | python3 -c '
import json, sys
v = json.load(sys.stdin)
assert v["display_window"] == [-160, 239] and "values" not in v, v
'
