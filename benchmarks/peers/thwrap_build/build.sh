python -m wrapgen build --native
