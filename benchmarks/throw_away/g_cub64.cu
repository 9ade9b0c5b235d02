typedef long long N;
#include "g_cub.inc"
lib lib_cub64() { return {"cub64", sort_any, seg_any}; }
