"""What every test runs under: no network but loopback, hypothesis without a deadline."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

# Two shared cores: a deadline measures the neighbours, not the code.
settings.register_profile(
    "fanfold", deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("fanfold")
