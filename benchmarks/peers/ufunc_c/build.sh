gcc -O3 -march=native -shared -fPIC $(python -c "import numpy, sysconfig; print('-I' + numpy.get_include(), '-I' + sysconfig.get_path('include'))") prelu.c -o mod.so
