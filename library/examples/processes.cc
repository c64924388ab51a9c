// SPDX-License-Identifier: MIT
#include <physmem/physmem.h>

#include <iostream>

int main(int argc, char** argv) try {
  const auto snapshot = physmem::Snapshot::open(argc > 1 ? argv[1] : "snap.pmc.zst");
  for (const physmem::ProcessRow& process : snapshot.processes())
    std::cout << process.pid << ',' << process.name << ',' << process.rss << '\n';
} catch (const physmem::SnapshotError& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
