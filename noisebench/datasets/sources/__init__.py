"""The places that data sets come from, each optional to the others."""

from noisebench.datasets.sources.base import Source, SourceUnavailable
from noisebench.datasets.sources.generator import GeneratorSource
from noisebench.datasets.sources.sklearn import SklearnSource

__all__ = ["GeneratorSource", "SklearnSource", "Source", "SourceUnavailable"]
