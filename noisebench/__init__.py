"""noisebench: a reproducible experiment harness for learning with noisy labels."""

__version__ = "0.1.0"
