[ -d build ] || meson setup build
ninja -C build && cp build/mod*.so .
