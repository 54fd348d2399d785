[ -f build/build.ninja ] || cmake -S . -B build -G Ninja -DPython_EXECUTABLE=$(which python)
cmake --build build && cp build/mod*.so .
