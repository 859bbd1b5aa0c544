"""The benchmarks, one file each, and the table of them. None imports another."""

from __future__ import annotations

from evals.benchmarks.ccmor import CCMOR
from evals.benchmarks.cofca import COFCA
from evals.benchmarks.compound import COMPOUND
from evals.benchmarks.fanoutqa import FANOUTQA
from evals.benchmarks.subquestion import SUBQUESTION
from evals.ports import Benchmark

BENCHMARKS: dict[str, Benchmark] = {
    "fanoutqa": FANOUTQA,
    "subquestion": SUBQUESTION,
    "compound": COMPOUND,
    "cofca": COFCA,
    "ccmor": CCMOR,
}
"""Every benchmark by its name."""
