"""A CT volume, from measured values to a turntable: bone shows through soft tissue."""
# %% A phantom in Hounsfield units: air -1000, a head of soft tissue 40, a skull 700 to 1100, two cavities of air.
import os

import numpy as np

import volpt

n = 96
z, y, x = np.meshgrid(*[np.linspace(-0.94, 0.94, n)] * 3, indexing="ij")


def ellipsoid(center, radii):
    return sum(((axis - at) / radius) ** 2 for axis, at, radius in zip((x, y, z), center, radii)) < 1


ct = np.full((n, n, n), -1000, np.int16)
ct[ellipsoid((0, 0, 0), (0.72, 0.85, 0.92))] = 40
ct[ellipsoid((0, 0, 0.08), (0.62, 0.75, 0.78))] = 900
ct[ellipsoid((0, 0.02, 0.1), (0.54, 0.67, 0.69))] = 30
for side in (-1, 1):
    ct[ellipsoid((0.26 * side, -0.68, 0.02), (0.17, 0.24, 0.14))] = -1000
ct[ellipsoid((0, -0.74, -0.28), (0.09, 0.2, 0.16))] = -1000

# %% Values become density and colour by curves: no air, thin reddish tissue, dense white bone.
volume = volpt.pack(
    ct,
    pitch_mm=2,
    opacity=[(-1000, 0), (-200, 0), (0, 0.004), (100, 0.004), (400, 1)],
    albedo_curve=[(100, 0.93, 0.75, 0.68), (400, 0.99, 0.985, 0.97)],
    scale=3,
)
print(volume.info["dims"], volume.info["bricks"], "bricks")

# %% Eight views around the vertical axis.
frames = [
    volpt.render(
        volume,
        resolution=(160, 160),
        camera={"from": (azimuth, 10)},
        env=0.15,
        light="sun direction=-1,1,-1 irradiance=8",
        transparent=True,
        spp=int(os.environ.get("SPP", 64)),
    )
    for azimuth in range(-90, 270, 45)
]
for number, frame in enumerate(frames):
    frame.save(f"ct_{number:03d}.png")

# %% All of them on one strip.
import matplotlib.pyplot as plt

strip = np.hstack([np.asarray(frame) for frame in frames])
plt.imsave("ct_turntable.png", np.clip(strip, 0, 1) ** (1 / 2.2))
