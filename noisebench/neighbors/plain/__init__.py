"""Plain numpy twins of the compiled kernels: the same numbers, bit for bit, only slower."""
