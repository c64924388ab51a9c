// SPDX-License-Identifier: MIT
// Instead of the file of libstdc++ for glibc, which requires __GLIBC_PREREQ.
#pragma once

#define __NO_CTYPE 1
// One thread: as musl's pthread_cancel() is not linked, a mutex does nothing.
#define _GLIBCXX_GTHREAD_USE_WEAK 1
#define _GLIBCXX_NATIVE_THREAD_ID pthread_self()
