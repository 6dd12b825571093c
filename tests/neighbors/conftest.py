"""Run a test with the compiled kernels and with their plain twins."""

import pytest


@pytest.fixture(params=["1", "0"], ids=["compiled", "plain"])
def backend(request, monkeypatch):
    monkeypatch.setenv("NOISEBENCH_JIT", request.param)
