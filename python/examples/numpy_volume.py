"""A volume of numpy numbers: a gyroid of wax between two lamps."""
# %% The density: 1 inside the gyroid's walls, 0 elsewhere, with soft edges.
import os

import numpy as np

import volpt

n = 96
z, y, x = np.meshgrid(*[np.linspace(0, 4 * np.pi, n)] * 3, indexing="ij")
gyroid = np.sin(x) * np.cos(y) + np.sin(y) * np.cos(z) + np.sin(z) * np.cos(x)
density = np.clip(4 * (0.45 - np.abs(gyroid)), 0, 1).astype(np.float32)

# %% Pack it: 30 mm wide, a mean free path of half a millimetre, and little absorption, more of it in blue.
volume = volpt.pack(density, pitch_mm=30 / n, scale=2, albedo=(0.995, 0.98, 0.93))
print(volume)

# %% Light it by a lamp beside us and a red one behind, under a dim sky, and look a little from above.
film = volpt.render(
    volume,
    resolution=(240, 240),
    camera={"from": (-60, 25)},
    light=["sphere center=-60,-10,50 radius=8mm power=600000,500000,400000", "sphere center=20,45,-20 radius=5mm power=200000,90000,30000"],
    env=0.1,
    transparent=True,
    spp=int(os.environ.get("SPP", 64)),
)
film.save("numpy_volume.png", exposure=0.35)
film
