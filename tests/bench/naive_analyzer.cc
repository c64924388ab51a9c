// SPDX-License-Identifier: MIT
// A simple parser with getline, split at '|', and sscanf, as a baseline for the real parser.
#include <cstdio>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <unordered_set>

int main(int, char* argv[]) {
  std::ifstream file(argv[1]);
  std::unordered_set<unsigned long long> frames;
  unsigned long long entries = 0;
  unsigned long long single = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("M:", 0) != 0) continue;
    std::istringstream list(line.substr(2));
    for (std::string entry; std::getline(list, entry, '|');) {
      unsigned long long va = 0, value = 0, count = 0, flags = 0;
      if (std::sscanf(entry.c_str(), " %llx=%llx, %llu, %llx", &va, &value, &count, &flags) != 4)
        continue;
      ++entries;
      single += count == 1 ? 1 : 0;
      frames.insert(value >> 12);
    }
  }
  std::cout << entries << ' ' << single << ' ' << frames.size() << '\n';
}
