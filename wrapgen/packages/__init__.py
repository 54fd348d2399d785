"""Op packages: their pyproject, how they are made, built, loaded into Python, put into wheels, and extended."""
