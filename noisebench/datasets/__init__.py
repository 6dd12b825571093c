"""Data sets: catalogue entries, their sources, readers, generators and preprocessing."""

from noisebench.datasets.catalogue import load_dataset, load_table, sources_of
from noisebench.datasets.dataset import Dataset, Partition, check_dataset

__all__ = ["Dataset", "Partition", "check_dataset", "load_dataset", "load_table", "sources_of"]
