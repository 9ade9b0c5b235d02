#include "g.inc"
lib lib_new() { return {"new", sort_any, seg_any}; }
