"""wrapgen writes tensor operations' C wrappers and Python bindings from YAML declarations."""

__version__ = "0.1.0"
