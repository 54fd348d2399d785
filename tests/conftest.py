"""Options of the whole test run. Hypothesis draws the same cases every time, others with THWRAP_EXPLORE=1."""

import os

import hypothesis
import pytest

hypothesis.settings.register_profile("fixed", deadline=None, derandomize=True, database=None)
hypothesis.settings.register_profile("explore", deadline=None)
hypothesis.settings.load_profile("explore" if os.environ.get("THWRAP_EXPLORE") else "fixed")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden",
        action="store_true",
        help="write the expected messages and the expected C of tests/wrapgen anew",
    )
