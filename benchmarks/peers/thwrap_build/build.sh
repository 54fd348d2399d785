python -m wrapgen build --native >build.log
