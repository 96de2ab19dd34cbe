# Compares volcompare's metrics with their reference implementations from the Python package index.
#
# check_references.py VOLCOMPARE: FLIP and HDR-FLIP with flip-evaluator, SSIM and colour differences with scikit-image,
# MS-SSIM with scipy's filters. The packages are fetched once, into $VOLPT_CACHE or ~/.cache/volpt; where that fails the test
# is skipped: exit status 77.
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import venv

PACKAGES = ["flip-evaluator==1.7", "scikit-image", "scipy", "numpy"]


def reenter():
    """Runs this script again inside an environment that has the packages."""
    home = pathlib.Path(os.environ.get("VOLPT_CACHE") or pathlib.Path.home() / ".cache" / "volpt") / "metric-references"
    python = home / "bin" / "python"
    try:
        if not (home / "complete").exists():
            venv.create(home, with_pip=True, clear=True)
            subprocess.run([python, "-m", "pip", "-q", "--disable-pip-version-check", "install", *PACKAGES], check=True,
                           timeout=240)
            (home / "complete").touch()
    except Exception as error:
        print(f"skipped: the reference implementations cannot be fetched: {error}")
        sys.exit(77)
    sys.exit(subprocess.run([python, __file__, sys.argv[1]], env={**os.environ, "VOLPT_REENTERED": "1"}).returncode)


def write_pfm(path, image):
    with open(path, "wb") as file:
        file.write(b"PF\n%d %d\n-1.0\n" % (image.shape[1], image.shape[0]))
        file.write(np.flipud(image).astype("<f4").tobytes())


def run(test, reference, metrics):
    with tempfile.TemporaryDirectory() as folder:
        names = [f"{folder}/test.pfm", f"{folder}/reference.pfm"]
        for name, image in zip(names, (test, reference)):
            write_pfm(name, image)
        command = [sys.argv[1], *names, "--json"] + [word for name in metrics for word in ("--metric", name)]
        return json.loads(subprocess.run(command, capture_output=True, text=True).stdout)["metrics"]


def multiscale_similarity(test, reference):
    weights, total = (0.0448, 0.2856, 0.3001, 0.2363, 0.1333), 0
    for channel in range(3):
        t, r, product = test[..., channel].astype(float), reference[..., channel].astype(float), 1
        for scale, weight in enumerate(weights):
            mean_t, mean_r = blur(t), blur(r)
            spread = blur(t * t) - mean_t**2 + blur(r * r) - mean_r**2
            value = (2 * (blur(t * r) - mean_t * mean_r) + 9e-4) / (spread + 9e-4)
            if scale == 4:
                value *= (2 * mean_t * mean_r + 1e-4) / (mean_t**2 + mean_r**2 + 1e-4)
            product *= value[5:-5, 5:-5].mean() ** weight
            h, w = t.shape[0] // 2, t.shape[1] // 2
            t, r = (x[: 2 * h, : 2 * w].reshape(h, 2, w, 2).mean((1, 3)) for x in (t, r))
        total += product / 3
    return total


def make_pair():
    """A picture with edges, gradients and dots, and a copy that is noisy, blurred in one place and tinted in another."""
    random = np.random.default_rng(4)
    y, x = np.mgrid[0:211, 0:307]
    picture = np.stack([(np.sin(x / 17) * np.cos(y / 13) + 1) / 2, (x // 23 + y // 19) % 2 * 0.7 + 0.1, (x * y % 251) / 251], -1)
    copy = picture + random.normal(0, 0.04, picture.shape)
    copy[40:90, 60:140] = gaussian_filter(copy[40:90, 60:140], (2, 2, 0))
    copy[120:170, 30:90, 0] = 0.9
    return copy.clip(0, 1).astype(np.float32), picture.clip(0, 1).astype(np.float32)


def main():
    test, reference = make_pair()
    ours = run(test, reference, ["flip", "ssim", "msssim", "de76", "de94", "de2000"])
    def code(image):
        return np.where(image > 0.0031308, 1.055 * image ** (1 / 2.4) - 0.055, 12.92 * image).astype(np.float32)
    checks = []
    error_map, mean, _ = flip_evaluator.evaluate(code(reference), code(test), "LDR", True, False, True, {})
    checks += [("flip.mean", mean, 1e-5), ("flip.max", error_map.max(), 1e-5),
               ("flip.p95", np.percentile(error_map, 95, method="inverted_cdf"), 1e-5)]
    checks.append(("ssim", structural_similarity(test, reference, gaussian_weights=True, sigma=1.5, use_sample_covariance=False,
                                                 data_range=1.0, channel_axis=2), 1e-5))
    checks.append(("msssim", multiscale_similarity(test, reference), 1e-5))
    labs = [color.rgb2lab(code(image).astype(float)) for image in (reference, test)]
    # scikit-image rounds its matrix and white to fewer digits.
    for name, distance in (("de76", color.deltaE_cie76), ("de94", color.deltaE_ciede94), ("de2000", color.deltaE_ciede2000)):
        checks += [(name + ".mean", distance(*labs).mean(), 2e-3), (name + ".max", distance(*labs).max(), 2e-2)]

    bright = (reference**3 * 8).astype(np.float32)
    bright[10:20, 10:20] = 60
    dim = (bright * np.random.default_rng(5).normal(1, 0.1, bright.shape)).clip(0).astype(np.float32)
    error_map, mean, chosen = flip_evaluator.evaluate(bright, dim, "HDR", False, False, True, {})
    ours |= run(dim, bright, ["hdrflip"])
    checks += [("hdrflip.mean", mean, 1e-4), ("hdrflip.max", error_map.max(), 1e-3),
               ("hdrflip.start_exposure", chosen["startExposure"], 1e-3), ("hdrflip.exposures", chosen["numExposures"], 0)]

    failed = 0
    for name, truth, tolerance in checks:
        good = abs(ours[name] - truth) <= tolerance
        failed += not good
        print(f"{name:24} {ours[name]:.7f} reference {float(truth):.7f} {'agrees' if good else 'DIFFERS'}")
    sys.exit(failed > 0)


if "VOLPT_REENTERED" not in os.environ:
    reenter()
import flip_evaluator
import numpy as np
from scipy.ndimage import gaussian_filter
from skimage import color
from skimage.metrics import structural_similarity


def blur(image):
    return gaussian_filter(image, 1.5, truncate=3.5)


main()
