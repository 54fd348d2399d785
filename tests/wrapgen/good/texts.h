int THTensor_(strings)(THTensor *result, THTensor *self, const char *mode, const char *text, const char *other, const char *upper);
int THTensor_(keyword_only)(THTensor *result, int64_t required, THTensor *self, double also, int64_t optional);
int THTensor_(late_required)(THTensor *result, THTensor *self, int64_t a, int64_t b);
int THTensor_(long_name_that_goes_on_and_on_until_nobody_remembers_how_it_began_or_what_it_was_for)(THTensor *result,
    THTensor *a, THTensor *b, uint64_t dims);
int THTensor_(spaced)(THTensor *self, THTensor *other, const char *text, double x);
