"""Data sets: catalogue entries, their sources, generators."""

from noisebench.datasets.catalogue import load_dataset
from noisebench.datasets.dataset import Dataset, Partition, check_dataset

__all__ = ["Dataset", "Partition", "check_dataset", "load_dataset"]
