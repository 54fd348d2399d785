"""What thwrap costs beside NumPy and PyTorch: `make bench`. Both are compared with, never depended on."""
