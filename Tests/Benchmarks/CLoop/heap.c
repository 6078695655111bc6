#include "CurlLoopBench.h"

#if defined(__linux__)
#include <malloc.h>
#endif

int64_t heap_bytes_in_use(void) {
#if defined(__GLIBC__) && defined(__GLIBC_PREREQ)
#if __GLIBC_PREREQ(2, 33)
    const struct mallinfo2 info = mallinfo2();
    return (int64_t)info.uordblks + (int64_t)info.hblkhd;
#else
    return -1;
#endif
#else
    return -1;
#endif
}
