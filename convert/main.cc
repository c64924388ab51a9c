// SPDX-License-Identifier: MIT
#include <cstdio>
#include <string>
#include <vector>

#include "convert/compact_encoder.h"

/// Experiment: physmem-convert text|compact FILE, to standard output.
int main(int argc, char* argv[]) {
  if (argc != 3) return 2;
  auto source = physmem::open_source(argv[2]);
  if (!source) return std::fprintf(stderr, "%s\n", source.error().text.c_str()), 4;
  if (std::string(argv[1]) == "compact") {
    physmem::CompactEncoder encoder(**source, argv[2], [](std::string_view bytes) -> physmem::Status {
      std::fwrite(bytes.data(), 1, bytes.size(), stdout);
      return {};
    });
    if (auto status = encoder.run(); !status)
      return std::fprintf(stderr, "%s\n", status.error().text.c_str()), 3;
    return 0;
  }
  std::vector<char> buffer(1 << 18);
  while (true) {
    const auto n = (*source)->read(buffer.data(), buffer.size());
    if (!n) return std::fprintf(stderr, "%s\n", n.error().text.c_str()), 3;
    if (*n == 0) return 0;
    std::fwrite(buffer.data(), 1, *n, stdout);
  }
}
