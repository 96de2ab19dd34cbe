# A rendered lithophane of four greys is as bright in each as the picture asks, from the darkest that the plate can show up to its white.
python3 - <<'PYTHON'
import struct
row = struct.pack("<32f", *(step / 3 for step in range(4) for _ in range(8)))
open("steps.pfm", "wb").write(b"Pf\n32 8\n-1.0\n" + row * 8)
PYTHON
volprep --lithophane steps.pfm --width 120mm -o steps.vpk 2>notes
volrender steps.vpk --scene lithophane --resolution 64x16 --spp 64 -o seen.pfm -q
python3 - <<'PYTHON'
import re
import struct
darkest = 1 / float(re.search(r"1/([0-9.]+) of what white does", open("notes").read())[1])
with open("seen.pfm", "rb") as f:
    assert f.readline() == b"PF\n"
    width, height = map(int, f.readline().split())
    f.readline()
    values = struct.unpack(f"<{3 * width * height}f", f.read())
means = []
for step in range(4):
    inner = [sum(values[3 * (y * width + x):][:3]) for y in range(4, 12) for x in range(16 * step + 6, 16 * step + 10)]
    means.append(sum(inner) / len(inner))
for step, mean in enumerate(means):
    asked = darkest + (1 - darkest) * step / 3
    print(mean / means[-1], asked)
    assert abs(mean / means[-1] - asked) < 0.05
PYTHON
