"""How data sets are cut into training and test parts."""

from noisebench.protocols.base import Protocol, Split
from noisebench.protocols.holdout import Holdout
from noisebench.protocols.kfold import RepeatedKFold

__all__ = ["Holdout", "Protocol", "RepeatedKFold", "Split"]
