"""The verbs of the command line, a module each: `HELP`, `add_arguments(parser)`, `run(arguments)` which gives the exit
status. What a verb needs is imported when it runs, so that none waits for the others."""

VERBS = ("check", "explain", "configure", "generate", "cffi")
