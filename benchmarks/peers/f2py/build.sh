python -m numpy.f2py -c prelu.f90 -m _prelu --backend meson --opt=-O3 >build.log 2>&1
