"""The check list passes for every model and fails for each way to break the contract."""

from __future__ import annotations

import numpy as np
import pytest

from noisebench import noise
from noisebench.noise import (
    ClassConditionalNoise,
    NoiseModel,
    NoNoise,
    PercentageNoise,
    TransitionNoise,
    UniformNoise,
    check_noise_model,
)

MODELS = [
    (NoNoise(), 2),
    (NoNoise(), 5),
    (UniformNoise(0.3), 2),
    (UniformNoise(0.3), 7),
    (UniformNoise(0.3, exact=True), 3),
    (PercentageNoise(20), 2),
    (PercentageNoise(40), 4),
    (ClassConditionalNoise(0.1, 0.3), 2),
    (TransitionNoise([[0.9, 0.1], [0.3, 0.7]]), 2),
    (TransitionNoise(np.full((3, 3), 1 / 3)), 3),
]


@pytest.mark.parametrize(("model", "n_classes"), MODELS, ids=repr)
def test_every_model_passes(model, n_classes):
    check_noise_model(model, n_classes)


def test_every_public_model_is_checked():
    public = (getattr(noise, name) for name in noise.__all__)
    models = {item for item in public if isinstance(item, type)} - {NoiseModel}
    assert models == {type(model) for model, _ in MODELS}


def test_every_model_draws_per_training_part():
    assert {model.scope for model, _ in MODELS} == {"train"}


class InPlace(NoiseModel):
    def corrupt(self, y, *_, **__):
        y[0] = 1 - y[0]
        return y.copy()


class SameArray(NoiseModel):
    def corrupt(self, y, *_, **__):
        return y


class OneMoreClass(NoiseModel):
    def corrupt(self, y, *_, **__):
        return y + 1


class OneLabelLess(NoiseModel):
    def corrupt(self, y, *_, **__):
        return y[1:].copy()


class Fractions(NoiseModel):
    def corrupt(self, y, *_, **__):
        return y.astype(float)


class OwnGenerator(NoiseModel):
    generator = np.random.default_rng(0)

    def corrupt(self, y, *_, **__):
        return self.generator.permutation(y)


class UnknownScope(NoiseModel):
    scope = "fold"

    def corrupt(self, y, *_, **__):
        return y.copy()


BROKEN = {
    InPlace: "changed its argument",
    SameArray: "returned its argument",
    OneMoreClass: r"left the classes 0 … 1: \[1, 2\]",
    OneLabelLess: r"made \(59,\) labels out of \(60,\)",
    Fractions: "returned float64",
    OwnGenerator: "gave two answers for one seed",
    UnknownScope: "has the scope 'fold'",
}


@pytest.mark.parametrize(("model", "reason"), BROKEN.items(), ids=str)
def test_a_broken_model_is_named_with_the_reason(model, reason):
    with pytest.raises(AssertionError, match=rf"{model.__name__}\(\) {reason}"):
        check_noise_model(model())


def test_a_model_may_ask_for_more():
    class FlipFar(NoiseModel):
        def corrupt(self, y, *_, distance, **__):
            return np.where(distance > 1, 1 - y, y)

    check_noise_model(FlipFar(), distance=np.linspace(0, 2, 60))


def test_the_base_class_is_abstract():
    with pytest.raises(TypeError, match="abstract"):
        NoiseModel()
