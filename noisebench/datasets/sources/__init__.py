"""The places that data sets come from, each optional to the others."""

from noisebench.datasets.sources.base import Source, SourceUnavailable
from noisebench.datasets.sources.file import FileSource
from noisebench.datasets.sources.generator import GeneratorSource
from noisebench.datasets.sources.openml import OpenMLSource
from noisebench.datasets.sources.package import PackageSource
from noisebench.datasets.sources.sklearn import SklearnSource

__all__ = [
    "FileSource",
    "GeneratorSource",
    "OpenMLSource",
    "PackageSource",
    "SklearnSource",
    "Source",
    "SourceUnavailable",
]
