"""The original syntax: PyTorch's `.cwrap` files, a second front end to the same model.

`reader` finds the blocks, `parsing` reads their keys (`languages` the strings, `backends` the dtypes), `translate`
makes of each form the entry that says the same in YAML (`arguments`, `availability`, `code`, `functions` know how),
`joining` looks at all declarations together. The loader reads the entries, so that both syntaxes have one model.
`report` tells what became of each declaration, `writer` prints the entries.
"""
