"""Formulas with ranges and units, declared in declarations/weather.yaml."""

import thwrap  # noqa: F401 - first: it brings libTH.so, which weather._C is linked with
from weather._C import *  # noqa: F403
