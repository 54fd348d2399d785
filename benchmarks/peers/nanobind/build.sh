[ -f build/build.ninja ] || cmake -S . -B build -G Ninja -DPython_EXECUTABLE=$(which python) >cmake.log
cmake --build build >build.log && cp build/mod*.so .
