"""What shows how things came about, and what can be declared: explain, trace, the reference, the schema."""
