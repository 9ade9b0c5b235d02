#include "g.inc"
lib lib_old() { return {"old", sort_any, seg_any}; }
