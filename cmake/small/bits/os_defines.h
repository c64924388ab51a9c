// SPDX-License-Identifier: MIT
// Instead of the file of libstdc++ for glibc, which requires __GLIBC_PREREQ.
#pragma once

#define __NO_CTYPE 1
#define _GLIBCXX_GTHREAD_USE_WEAK 0
#define _GLIBCXX_NATIVE_THREAD_ID pthread_self()
