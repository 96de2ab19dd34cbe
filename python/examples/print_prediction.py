"""How will a picture look when it is printed in resin? Colours bleed in the print; the prediction shows by how much."""
# %% A picture with fine and coarse detail.
import os

import matplotlib.pyplot as plt
import numpy as np

import volpt

height, width = 96, 144
v, u = np.mgrid[0:height, 0:width] / height
picture = np.stack([0.6 + 0.2 * np.sin(9 * u), 0.55 + 0.15 * np.cos(7 * v), 0.55 + 0.2 * np.sin(5 * (u + v))], axis=2)
picture[60:, 12:] = np.where((u[60:, 12:] * 0.5 * height / (1 + 4 * u[60:, 12:]) % 1 < 0.5)[..., None], 0.25, 0.8)
plt.imsave("picture.png", picture)

# %% Print it 24 mm wide: inks of 0.5 mm depth on white resin, halftoned in three dimensions.
volume = volpt.pack(print="picture.png", width="24mm", thickness="3mm", materials="elek2017", pitch_mm=(0.1, 0.1, 0.05))
print(volume)

# %% Measure the print as a scanner would: every texel of its top face, lit evenly.
film = volpt.render(volume, probe="top", sides="periodic", boundary="smooth", int_ior=1.5, resolution=(width, height),
                    spp=int(os.environ.get("SPP", 256)))
film.save("print_prediction.png", "print_prediction.vpf")

# %% How far from the picture is it, in CIEDE2000?
verdict = volpt.compare(film, "picture.png", metric=["de2000"])
print(f"mean Delta E 2000: {verdict.metrics['de2000.mean']:.1f}")
fig, axes = plt.subplots(1, 3, figsize=(12, 3), layout="constrained")
axes[0].imshow(picture)
axes[0].set_title("picture")
axes[1].imshow(np.clip(np.asarray(film), 0, 1) ** (1 / 2.2))
axes[1].set_title("predicted print")
shown = axes[2].imshow(verdict.maps["de2000"], cmap="magma")
axes[2].set_title("Delta E 2000")
fig.colorbar(shown, ax=axes[2])
for axis in axes:
    axis.axis("off")
fig.savefig("print_comparison.png", dpi=120)
