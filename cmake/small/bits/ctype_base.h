// SPDX-License-Identifier: MIT
// Instead of the file of libstdc++ for glibc, whose masks musl does not define. Only declared: the
// small build uses no locale, and links none.
#pragma once

namespace std {

struct ctype_base {
  using mask = unsigned short;
  using __to_type = const int*;
  static const mask upper = 1, lower = 2, alpha = 4, digit = 8, xdigit = 16, space = 32, print = 64;
  static const mask cntrl = 128, punct = 256, blank = 512, alnum = alpha | digit;
  static const mask graph = alnum | punct;
};

}  // namespace std
