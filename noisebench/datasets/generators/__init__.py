"""Sets drawn from a generator: functions from sizes and a random generator to ``(X, y)``.

Every function returns float64 features (n × d) and int64 labels 0 … C−1, and draws from the
given generator only, so that an equal seed gives an equal set.
"""

from noisebench.datasets.generators.bananas import banana
from noisebench.datasets.generators.bits import synsep
from noisebench.datasets.generators.gaussians import g10n, g50c, ringnorm, twonorm
from noisebench.datasets.generators.histograms import visual_words
from noisebench.datasets.generators.mixtures import gaussian_mixture
from noisebench.datasets.generators.surfaces import (
    reeve_kaban,
    reeve_kaban_eta,
    reeve_kaban_plateau,
    sine_surface,
    sine_surface_eta,
)
from noisebench.datasets.generators.toys import noisy_xor, two_gaussians
from noisebench.datasets.generators.waves import waveform

__all__ = [
    "banana",
    "g10n",
    "g50c",
    "gaussian_mixture",
    "noisy_xor",
    "reeve_kaban",
    "reeve_kaban_eta",
    "reeve_kaban_plateau",
    "ringnorm",
    "sine_surface",
    "sine_surface_eta",
    "synsep",
    "two_gaussians",
    "twonorm",
    "visual_words",
    "waveform",
]
