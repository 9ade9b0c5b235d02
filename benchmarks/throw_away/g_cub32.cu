typedef int N;
#define WITH_SEG
#include "g_cub.inc"
lib lib_cub32() { return {"cub32", sort_any, seg_any}; }
