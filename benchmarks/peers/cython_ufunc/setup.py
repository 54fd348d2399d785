import numpy
from Cython.Build import cythonize
from setuptools import Extension, setup
flags = ["-O3", "-march=native"]
setup(ext_modules=cythonize([Extension("mod", ["mod.pyx"], include_dirs=[numpy.get_include()], extra_compile_args=flags)]))
