"""Every configuration of a noise model builds one and names it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hydra.utils import instantiate
from omegaconf import OmegaConf

from noisebench.noise import NoiseModel, check_noise_model

CONF = Path(__file__).parents[2] / "conf" / "noise"
LABELS = {
    "none": "no noise",
    "uniform": "uniform η=0.3",
    "class_conditional": "τ₊=0.1, τ₋=0.3",
    "percentage": "γ=20 %",
    "transition": "transition [[0.7, 0.3], [0.1, 0.9]]",
}


@pytest.mark.parametrize("choice", LABELS)
def test_configuration_builds_a_model_under_its_label(choice):
    path = CONF / f"{choice}.yaml"
    assert path.read_text(encoding="utf-8").startswith("# ")
    # Nested as in a composed configuration: the label must find its neighbours there too.
    config = OmegaConf.create({"noise": OmegaConf.load(path)}).noise
    assert config.pop("label") == LABELS[choice]
    model = instantiate(config)
    assert isinstance(model, NoiseModel)
    check_noise_model(model)
