"""What a noise model is, and the model that changes nothing."""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from typing import ClassVar

import numpy as np

from noisebench.noise.labels import check_labels


class NoiseModel(ABC):
    """A way to corrupt labels.

    A model stores its parameters in ``__init__`` under their own names and refuses illegal ones
    there, so that a wrong rate fails before any work. ``corrupt`` draws from the given generator
    only and returns a new array. Run a model of your own through ``check_noise_model``.

    Attributes
    ----------
    scope : str
        Which labels one draw covers: ``"train"``, the training part of every fold anew, or
        ``"dataset"``, the whole set once per repetition. Test labels are scored clean in both.

    Examples
    --------
    >>> class AllToOne(NoiseModel):
    ...     def corrupt(self, y, rng, *, n_classes=None):
    ...         return np.ones_like(y)
    >>> AllToOne(), AllToOne().corrupt(np.array([0, 1]), np.random.default_rng(0))
    (AllToOne(), array([1, 1]))
    """

    scope: ClassVar[str] = "train"

    @abstractmethod
    def corrupt(
        self, y: np.ndarray, rng: np.random.Generator, *, n_classes: int | None = None
    ) -> np.ndarray:
        """Return the labels with noise.

        Parameters
        ----------
        y : array of int
            Class codes 0 … C−1; left as they are.
        rng : numpy.random.Generator
            The only source of chance.
        n_classes : int, optional
            C, so that a class without a member in ``y`` can be drawn too; the largest code plus
            one if not given.
        """

    def class_rates(self) -> tuple[float, float] | None:
        """Return (τ₊, τ₋), the flip rates of classes 1 and 0 of two, where the model fixes them.

        Learners that are to be given the true rates (``rates: known``) get these.
        """
        return None

    def __repr__(self) -> str:
        values = {name: getattr(self, name) for name in inspect.signature(type(self)).parameters}
        shown = (
            f"{name}={value.tolist() if isinstance(value, np.ndarray) else value!r}"
            for name, value in values.items()
        )
        return f"{type(self).__name__}({', '.join(shown)})"


class NoNoise(NoiseModel):
    """Leave every label as it is.

    >>> NoNoise().corrupt(np.array([0, 1, 1]), np.random.default_rng(0))
    array([0, 1, 1])
    """

    def corrupt(
        self,
        y: np.ndarray,
        rng: np.random.Generator,
        *,
        n_classes: int | None = None,
    ) -> np.ndarray:
        return check_labels(y, n_classes)[0]

    def class_rates(self) -> tuple[float, float]:
        return 0.0, 0.0
