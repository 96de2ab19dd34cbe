# Json names the address and the token file.
volprep --make cube --size 1mm -o c.vpk -q
volview c.vpk --resolution 20x20 --exit-after 0.5 --token-file t --json | python3 -c '
import json, sys
a = json.load(sys.stdin)
assert a["address"] == "http://127.0.0.1:%d/" % a["port"] and a["token_file"].endswith("t"), a
'
