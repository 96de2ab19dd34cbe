# A host of choice is allowed.
. $VOLPT_TESTS_DIR/tools/volview_serve.sh
volprep --make cube --size 1mm -o c.vpk -q
serve c.vpk --resolution 20x20 --allow-host gpu.example
token=$(cat token)
port=$(python3 -c 'import json; print(json.load(open("server.json"))["port"])')
python3 -c '
import sys
from urllib.request import Request, urlopen
urlopen(
    Request(
        f"http://127.0.0.1:{sys.argv[1]}/stats.json", headers={"Host": "gpu.example:80", "Authorization": f"Bearer {sys.argv[2]}"}
    )
).read()
' $port $token
