g++ -O3 -march=native -shared -fPIC -std=c++17 $(python -m pybind11 --includes) prelu.cpp -o mod$(python -c "import sysconfig; print(sysconfig.get_config_var(\"EXT_SUFFIX\"))")
