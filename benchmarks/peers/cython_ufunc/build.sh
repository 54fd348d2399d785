python setup.py -q build_ext --inplace >build.log 2>&1
