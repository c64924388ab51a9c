// SPDX-License-Identifier: MIT
// library-pages open|pages|runs SNAPSHOT: what library_pages.py does, in C++.
#include <cstdint>
#include <iostream>
#include <string_view>

#include "physmem/physmem.h"

namespace {

void print_pages(const physmem::Snapshot& snapshot, bool as_runs) {
  std::uint64_t pages = 0, anonymous = 0;
  physmem::PageReader reader = snapshot.pages({.as_runs = as_runs});
  for (const physmem::PageBatchColumns& batch : reader)
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const bool is_anonymous = (batch.flags[i] & physmem::page_flag::kAnonymous) != 0;
      pages += batch.pages[i];
      anonymous += is_anonymous ? batch.pages[i] : 0;
    }
  std::cout << pages << ' ' << anonymous << '\n';
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 3) return 2;
  const std::string_view what = argv[1];
  const auto snapshot = physmem::Snapshot::open(argv[2], {.keeps_areas = false});
  if (what != "open") {
    print_pages(snapshot, what == "runs");
    return 0;
  }
  std::uint64_t rss = 0;
  for (const physmem::ProcessRow& process : snapshot.processes()) rss += process.rss;
  std::cout << rss << '\n';
} catch (const physmem::SnapshotError& error) {
  std::cerr << error.what() << '\n';
  return 3;
}
