int THTensor_(reversed_copy)(THTensor *result, THTensor *self);
