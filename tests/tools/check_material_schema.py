# Validates the shipped material tables against their schema, and checks that volprep refuses what the schema refuses.
"""check_material_schema.py FOLDER, with volprep on PATH."""

import copy
import json
import pathlib
import subprocess
import sys

import jsonschema

folder = pathlib.Path(sys.argv[1])
schema = json.loads((folder / "materials.schema.json").read_text())
validator_class = jsonschema.validators.validator_for(schema)
validator_class.check_schema(schema)
validator = validator_class(schema)

tables = {path.name: json.loads(path.read_text()) for path in sorted(folder.glob("*.json")) if path.name != "materials.schema.json"}
for name, table in tables.items():
    validator.validate(table)
    assert table["source"], f"{name} does not say where its numbers come from"


def is_read(table):
    """Whether volprep makes a slab of the first material."""
    pathlib.Path("t.json").write_text(json.dumps(table))
    material = table["materials"][0].get("name", "A") if table.get("materials") and isinstance(table["materials"][0], dict) else "A"
    run = subprocess.run(["volprep", "--make", "slab", "--size", "1", "--materials", "t.json", "--material", str(material), "-o", "t.vpk"],
                         capture_output=True, text=True)
    assert run.returncode in (0, 3), run.stderr
    return run.returncode == 0


good = tables["elek2017.json"]
edits = [
    lambda t: None,
    lambda t: t.update(bands=[450, 550, 650]),
    lambda t: t["materials"][0].update(notes=["any"]),
    lambda t: t["materials"][0].pop("g"),
    lambda t: t.update(bands=["R", 1, 2]),
    lambda t: t.update(bands=[200, 300, 400]),
    lambda t: t.update(extra=1),
    lambda t: t.update(ior=0.5),
    lambda t: t.update(source=3),
    lambda t: t.update(materials=[]),
    lambda t: t["materials"].append(3),
    lambda t: t["materials"][1].update(id=256),
    lambda t: t["materials"][1].update(id=1.5),
    lambda t: t["materials"][1].update(colour="red"),
    lambda t: t["materials"][1].update(colour="#12345"),
    lambda t: t["materials"][1].update(g=1),
    lambda t: t["materials"][1].update(sigma_t=[1, -1, 1]),
    lambda t: t["materials"][1].update(sigma_t=7),
    lambda t: t["materials"][1].update(albedo=[0.1, 0.2, 1.1]),
    lambda t: t["materials"][1].update(one_minus_albedo=[0.1, 0.2, 0.3]),
    lambda t: t["materials"][1].pop("albedo"),
    lambda t: t["materials"][1].pop("name"),
    lambda t: t["materials"][1].update(ior="1.5"),
    lambda t: t["materials"].append({"name": "outside", "air": True}),
    lambda t: t["materials"][1].update(air=False),
    lambda t: t["materials"][1].update(air=True),
    lambda t: t["materials"].append({"name": "outside", "air": 1}),
    lambda t: t["materials"].append({"name": "outside", "air": True, "g": 0.4}),
    lambda t: t["materials"].append({"name": "outside", "air": False}),
    lambda t: t["materials"].append({"name": "below", "support": True}),
    lambda t: t["materials"].append({"name": "below", "support": True, "clear": True}),
    lambda t: t["materials"].append({"name": "below", "support": True, "sigma_t": [1, 1, 1], "albedo": [0, 0, 0]}),
    lambda t: t["materials"].append({"name": "glass", "clear": True, "g": 0.4, "ior": 1.5}),
    lambda t: t["materials"].append({"name": "glass", "clear": True, "albedo": [0, 0, 0]}),
    lambda t: t["materials"].append({"name": "glass", "clear": True, "sigma_t": [1, 1, 1], "albedo": [0, 0, 0]}),
    lambda t: t["materials"].append({"name": "glass", "clear": False}),
]
refused = 0
for number, edit in enumerate(edits):
    table = copy.deepcopy(good)
    edit(table)
    valid = validator.is_valid(table)
    assert is_read(table) == valid, f"edit {number}: the schema says {valid}, volprep otherwise"
    refused += not valid
assert refused >= 15 and validator.is_valid(good)
print(f"{len(tables)} tables are valid; {refused} of {len(edits)} edits are refused by schema and reader alike")
