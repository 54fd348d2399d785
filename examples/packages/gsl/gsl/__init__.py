"""Special functions by GSL, declared in declarations/gsl.yaml."""

import thwrap  # noqa: F401 - first: it brings libTH.so, which gsl._C is linked with
from gsl._C import *  # noqa: F403
