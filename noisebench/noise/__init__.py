"""Noise models: ways to corrupt labels with a given random generator."""

from noisebench.noise.checks import check_noise_model
from noisebench.noise.class_conditional import ClassConditionalNoise, TransitionNoise
from noisebench.noise.labels import flipped
from noisebench.noise.model import NoiseModel, NoNoise
from noisebench.noise.uniform import PercentageNoise, UniformNoise

__all__ = [
    "ClassConditionalNoise",
    "NoNoise",
    "NoiseModel",
    "PercentageNoise",
    "TransitionNoise",
    "UniformNoise",
    "check_noise_model",
    "flipped",
]
