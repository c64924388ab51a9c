// SPDX-License-Identifier: MIT
// Instead of the file of libstdc++ for glibc, which uses its locale_t. Only declared, as in
// ctype_base.h.
#pragma once

#include <clocale>

#define _GLIBCXX_NUM_CATEGORIES 0

namespace std {

using __c_locale = int*;
int __convert_from_v(const __c_locale&, char*, int, const char*, ...);

}  // namespace std
