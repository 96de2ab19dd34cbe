"""How many samples are enough? The error of a film against one of many samples, and what the film says of itself."""
# %% A cube of marble-like medium.
import os

import matplotlib.pyplot as plt
import numpy as np

import volpt

rng = np.random.default_rng(5)
veins = np.cumsum(rng.normal(0, 1, (48, 48, 48)), axis=0)
veins = np.exp(-np.abs(np.sin(veins / 6 + np.linspace(0, 9, 48)))).astype(np.float32)
volume = volpt.pack(veins, pitch_mm=0.5, scale=5, albedo=(0.995, 0.99, 0.98))

# %% One film goes on from the other: 1, 4, 16, .. samples, none of them rendered twice.
most = int(os.environ.get("SPP", 1024))
counts = [4**k for k in range(1, 10) if 4**k <= most]
films = [volpt.render(volume, resolution=(64, 64), spp=counts[0])]
for count in counts[1:]:
    films.append(films[-1].resume(spp=count))
reference = volpt.render(volume, resolution=(64, 64), spp=4 * most, seed=1)

# %% Measured and predicted error fall with the root of the samples.
measured = [np.sqrt(np.mean((np.asarray(film) - np.asarray(reference)) ** 2)) for film in films]
predicted = [np.sqrt(np.mean(film.standard_error**2)) for film in films]
fig, axis = plt.subplots(figsize=(6, 4), layout="constrained")
axis.loglog(counts, measured, "o-", label="measured against a reference")
axis.loglog(counts, predicted, "s--", label="predicted by the film")
axis.set_xlabel("samples per pixel")
axis.set_ylabel("root mean square error")
axis.legend()
fig.savefig("convergence.png", dpi=120)
slope = np.polyfit(np.log(counts), np.log(measured), 1)[0]
print(f"slope {slope:.2f}, expected -0.5")
