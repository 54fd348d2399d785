"""The laws, a file for each subject; pytest runs them for the ops of `subject.current()`."""
