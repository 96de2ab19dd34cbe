# read_letters.py CUBE.vpk: looks at the six faces of make_letter_cube.py's cube with volrender, and reads their letters.
"""The cube is 12 mm wide: light goes about a millimetre aside. Each face has 4 x 5 cells, dark where its letter is. Exit status 1 unless every face shows its own letter, upright and not mirrored."""
import array, ast, pathlib, subprocess, sys

CELLS_X, CELLS_Y, PIXELS = 4, 5, 40
SIDE_MM = 12.0


def load_faces():
    """FACES of make_letter_cube.py, which writes its files when it is imported."""
    module = ast.parse((pathlib.Path(__file__).parent / "make_letter_cube.py").read_text())
    return next(eval(compile(ast.Expression(node.value), "FACES", "eval")) for node in module.body
                if isinstance(node, ast.Assign) and node.targets[0].id == "FACES")


def render_face(volume, normal, up):
    """Rows of grey values, upper row first; the picture is the face."""
    subprocess.check_call(["volrender", volume, "-q", "--origin=" + ",".join(str(50 * x) for x in normal), "--target=0,0,0",
                           "--up=" + ",".join(map(str, up)), "--ortho", f"{SIDE_MM}mm", "--resolution", f"{PIXELS}x{PIXELS}", "--spp", "48",
                           "-o", "face.pfm"], stdout=subprocess.DEVNULL)
    kind, size, scale, values = pathlib.Path("face.pfm").read_bytes().split(b"\n", 3)
    assert kind == b"PF" and size == b"%d %d" % (PIXELS, PIXELS), (kind, size)
    numbers = array.array("f", values)
    if (float(scale) > 0) != (sys.byteorder == "big"):
        numbers.byteswap()
    grey = [sum(numbers[3 * i:3 * i + 3]) / 3 for i in range(PIXELS * PIXELS)]
    return [grey[PIXELS * row:PIXELS * (row + 1)] for row in reversed(range(PIXELS))]


def read_cells(rows):
    """The face as make_letter_cube.py has it: means of the middles of cells, dark below half way between the extremes."""
    width, height = PIXELS // CELLS_X, PIXELS // CELLS_Y
    means = [[sum(rows[y * height + j][x * width + i] for j in range(2, height - 2) for i in range(2, width - 2)) /
              ((height - 4) * (width - 4)) for x in range(CELLS_X)] for y in range(CELLS_Y)]
    low, high = min(map(min, means)), max(map(max, means))
    assert low < 0.7 * high, f"the face has hardly any contrast: {low:.3f} to {high:.3f}"
    return " ".join("".join("#" if mean < (low + high) / 2 else "." for mean in row) for row in means)


faces = load_faces()
assert len(faces) == 6
wrong = 0
for normal, _, up, letter in faces:
    seen = read_cells(render_face(sys.argv[1], normal, up))
    print(normal, seen, "as it should be" if seen == letter else f"instead of {letter}")
    wrong += seen != letter
print("letters read:", 6 - wrong)
sys.exit(1 if wrong else 0)
