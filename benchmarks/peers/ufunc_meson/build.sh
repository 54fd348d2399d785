[ -d build ] || meson setup build >setup.log
ninja -C build >build.log && cp build/mod*.so .
