"""The original syntax: PyTorch's `.cwrap` files, a second front end to the same model.

`reader` finds the blocks, `declarations` reads their keys, `translate` makes of each declaration the entry
that says the same in YAML; the loader reads that entry, so that both syntaxes have one model. `report` tells
what became of each declaration, `writer` prints the entries.
"""
