"""The types of results that are several tensors: tuples whose items have names."""
