"""The small languages inside declarations: YAML values with positions, kernels, calls, signatures."""
