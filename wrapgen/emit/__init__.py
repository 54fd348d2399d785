"""The emitters: each prints one kind of generated file from operations whose bodies are woven."""
