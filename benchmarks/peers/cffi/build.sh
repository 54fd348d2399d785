python build_prelu.py
