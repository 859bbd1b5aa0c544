"""A stand-in for a model: a server that speaks as models do and says by script what sources say.

It shows how runs with a model go where there is no model. It is none, and every output that it has
a part in says so: its only name is `NAME`, and every answer of its begins with `SAID_BY`.
"""

from agent.stand_in.script import NAME, SAID_BY

__all__ = ["NAME", "SAID_BY"]
