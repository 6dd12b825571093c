"""What the harness knows and a learner may be given: true noise rates, and clean labels.

No learner gets either unasked. Rates go to those whose configuration says ``rates: known``, as
Gao et al. give them to the rivals; clean labels to those whose ``fit`` takes ``clean_labels``,
which the noise-free choice of a kernel width or an oracle's selection needs.
"""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np

from noisebench.components import Component
from noisebench.errors import InputError


def give_rates(learner: Any, part: Component, noise: Component) -> None:
    """Hand the true noise rates to a learner that asks for them, or say why there are none."""
    if part.config.get("rates") != "known":
        return
    model = noise.build()
    rates = model.class_rates() if hasattr(model, "class_rates") else None
    if rates is None or sum(rates) >= 1:
        raise InputError(
            f"learner '{part.name}' is to be given the true noise rates, but noise "
            f"'{noise.name}' has none that two classes can be told apart with; "
            f"set learner.rates=estimate or choose another noise."
        )
    learner.set_params(rates=rates)


def fit_arguments(learner: Any, clean_labels: np.ndarray) -> dict[str, Any]:
    """Return what a learner's ``fit`` takes besides features and noisy labels."""
    if "clean_labels" in inspect.signature(learner.fit).parameters:
        return {"clean_labels": clean_labels}
    return {}
