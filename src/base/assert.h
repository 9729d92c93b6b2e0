/* Assertions: what must hold if our own code is right. Never for input, which is answered by an error value.
 *
 *     KN_ASSERT(index < table->count);
 *
 * They are on in every build but those that users install (CMake option KNACK_ASSERTIONS; `make install` and
 * `make deb` switch it off). A failed one names its place on stderr and aborts the process. */
#ifndef KNACK_BASE_ASSERT_H
#define KNACK_BASE_ASSERT_H

#ifdef KNACK_ASSERTIONS
#define KN_ASSERT(condition)                                                                                 \
    (__builtin_expect(!(condition), 0) ? kn_assert_failed(#condition, __FILE__, __LINE__) : (void)0)
#else
#define KN_ASSERT(condition) ((void)sizeof(!(condition)))
#endif

_Noreturn void kn_assert_failed(const char *condition, const char *file, int line) __attribute__((cold));

#endif
