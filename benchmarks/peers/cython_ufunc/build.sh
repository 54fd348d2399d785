python setup.py -q build_ext --inplace
