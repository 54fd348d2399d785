"""What runs after the emitters: compilers and their flags, libraries, ninja, and what a failed build says."""
