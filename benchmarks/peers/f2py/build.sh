FFLAGS="-O3 -march=native" python -m numpy.f2py -c prelu.f90 -m _prelu --backend meson
