# Everything on a fresh clone: `make demo`, `make test`. Needs Python >= 3.11 with headers, a C compiler and make;
# the rest is installed into .venv. After that `ninja` (.venv/bin/ninja) rebuilds what an edit touched.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SITE = "$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')"
# The packages of [project.dependencies] and of a dependency group of pyproject.toml; thwrap[test] are those of `test`.
WANTED = import sys, tomllib; t = tomllib.load(open("pyproject.toml", "rb")); p = t["project"]; \
	extras = {f"thwrap[{k}]": v for k, v in p["optional-dependencies"].items()}; \
	group = (w for x in t["dependency-groups"][sys.argv[1]] for w in extras.get(x, [x])); \
	print(*p["dependencies"], *group, sep="\n")
INSTALL = $(BIN)/python -c '$(WANTED)' $* > $(VENV)/$*.txt && \
	$(BIN)/python -m pip install --quiet --disable-pip-version-check $(PIP_OPTIONS) --requirement $(VENV)/$*.txt
ASAN = LD_PRELOAD="$$($(CC) -print-file-name=libasan.so) $$($(CC) -print-file-name=libubsan.so)" \
	ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 PYTHONMALLOC=malloc

# Each core takes tests of its own; who is done takes some of another's.
PYTEST = $(BIN)/python -m pytest --numprocesses auto --dist worksteal

# As many jobs as cores: by itself ninja takes one or two more, which wait for each other.
NINJA = $(BIN)/ninja -j $$(nproc)
SELECTIVE = $(NINJA) -f build/selective/build.ninja

.PHONY: build demo test bench peers check format asan tsan leaks selective wheel clean

# With OPS=FILE, a list of operations: a package of these alone, in build/selective.
build: build.ninja
ifdef OPS
	$(BIN)/python -m wrapgen configure --ops $(OPS)
	$(SELECTIVE)
else
	$(NINJA)
endif

demo: build .venv/demo.ready
	$(BIN)/python examples/digits/demo.py

test: build
	$(PYTEST) tests

# In an environment of its own: thwrap is compared with PyTorch (without CUDA), and never depends on it.
bench: build
	$(MAKE) --no-print-directory VENV=.venv-bench .venv-bench/bench.ready \
	    PIP_OPTIONS='--extra-index-url https://download.pytorch.org/whl/cpu'
	.venv-bench/bin/python -m benchmarks

# The ways that people take today, in an environment of their own; Fortran's where there is a compiler for it. Pip asks
# PyTorch's index for every package, once: where it cannot be reached, retries would take minutes.
peers: build
	$(MAKE) --no-print-directory VENV=.venv-peers .venv-peers/peers.ready \
	    PIP_OPTIONS='--retries 0 --extra-index-url https://download.pytorch.org/whl/cpu'
	.venv-peers/bin/python -m benchmarks.edit_to_import

check: build
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m wrapgen check

format: .venv/dev.ready
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/clang-format -i TH/*.h TH/*/*.[ch] pkg/csrc/*.[ch] tests/TH/*.[ch] examples/*/*.c

# The Python suite and TH's own tests with the address and undefined-behaviour sanitizers, in a build of their own;
# SANITIZED=tests/pkg/laws: some of these.
SANITIZED ?= tests/TH tests/pkg
asan: .venv/dev.ready
	$(BIN)/python -m wrapgen configure --profile asan --builddir build/asan --out build/asan/pkg/thwrap
	$(NINJA) -f build/asan/build.ninja package c-tests
	$(ASAN) THWRAP_BUILD=build/asan PYTHONPATH=$(CURDIR)/build/asan/pkg $(PYTEST) $(SANITIZED)

# TH's own tests with the thread sanitizer.
tsan: .venv/dev.ready
	$(BIN)/python -m wrapgen configure --profile tsan --builddir build/tsan --out build/tsan/pkg/thwrap
	$(NINJA) -f build/tsan/build.ninja c-tests
	THWRAP_BUILD=build/tsan $(BIN)/python -m pytest tests/TH/test_c.py

# A million calls of all kinds, a third of which fail; prints what grew.
leaks: build
	$(BIN)/python tests/pkg/leaks.py 1000000

# A package with the demo's operations alone, and its tests: it is small, and nothing is missed.
selective: build
	$(BIN)/python -m wrapgen configure --ops examples/digits/ops.yaml
	$(SELECTIVE)
	THWRAP_SELECTIVE=build/selective/thwrap $(BIN)/python -m pytest tests/selective

# The wheel, installed into an empty environment and tried there, outside the source tree.
wheel: .venv/dev.ready
	rm -rf build/dist build/wheel-env
	$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation --wheel-dir build/dist .
	$(BIN)/abi3audit --strict --summary build/dist/thwrap-*.whl
	@test -z "$$(find build/dist -name '*.whl' -size +4000000c)" || { echo "wheel: more than 4 MB" >&2; exit 1; }
	$(PYTHON) -m venv build/wheel-env
	build/wheel-env/bin/python -m pip install --quiet --disable-pip-version-check build/dist/thwrap-*.whl
	cd build/wheel-env && bin/python -I ../../tests/smoke.py

build.ninja: build.ninja.in | .venv/dev.ready
	$(BIN)/python -m wrapgen configure

# A group of dependencies, and the source tree itself with its command.
$(VENV)/%.ready: pyproject.toml Makefile
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(INSTALL)
	printf '%s\n' '$(CURDIR)/pkg' '$(CURDIR)' > $(SITE)/thwrap-source.pth
	printf '%s\n' '#!$(CURDIR)/$(BIN)/python' 'from wrapgen.__main__ import main' 'raise SystemExit(main())' > $(BIN)/wrapgen
	chmod +x $(BIN)/wrapgen
	touch $@

clean:
	rm -rf build build.ninja .ninja_log .ninja_deps pkg/thwrap/*.so pkg/thwrap/*.a
