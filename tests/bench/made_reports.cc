// SPDX-License-Identifier: MIT
// made-reports MACHINES SNAPSHOTS UNITS: writes reports of machines that do not exist, in the text
// of `physmem-fleet rows`. Each machine has UNITS of 3,000 paths, and SNAPSHOTS five hours apart.
// Sizes differ by machine and vary from one snapshot to the next; every tenth unit grows.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <numeric>
#include <random>
#include <vector>

namespace {

constexpr std::uint64_t kStart = 1795219200;
constexpr std::uint64_t kPaths = 3000;
constexpr std::uint64_t kPage = 4096;

using Random = std::mt19937_64;

void write_unit(Random& draw, std::uint64_t number, std::uint64_t moment) {
  const std::uint64_t base = 40 + number * 37 % 900;
  const std::uint64_t text = (base + draw() % (base / 8 + 1)) * kPage;
  const std::uint64_t data = (base / 4 + draw() % 8 + (number % 10 == 0 ? moment : 0)) * kPage;
  const std::uint64_t bss = base / 16 * kPage;
  const std::uint64_t size = text + data + bss;
  std::printf(
      "units\t/usr/lib/x86_64-linux-gnu/libmade%04lu.so.%lu\t%lu\t%lu\t%lu\t%lu\t%lu\t%lu"
      "\t%lu\t%lu\n",
      number, number % 7, text, data, bss, 1 + number % 40, data + bss, size,
      size * (1 + number % 5), number % 3);
}

void write_report(Random& draw, std::uint64_t machine, std::uint64_t moment,
                  const std::vector<std::uint64_t>& units) {
  Random identity(~machine);
  const std::uint64_t time = kStart + moment * 18000 + machine % 300;
  const auto high = identity();
  const auto low = identity();
  std::printf(
      "physmem-fleet-rows 1\nsnapshot\t%016lx%016lx%016lx%016lx\t%016lx%016lx\thost%lu\t%032d"
      "\t6.1.0\tx86_64\tproc\t\t\t%lu%09lu\t%lu000000000\t%lu\t4096\t34359738368\t1\t0\t0\n",
      draw(), draw(), draw(), draw(), high, low, machine, 0, time, draw() % 1'000'000'000,
      moment + 1, moment);
  for (const std::uint64_t unit : units) write_unit(draw, unit, moment);
  std::printf("end\t%zu\n", units.size());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const std::uint64_t machines = std::strtoull(argv[1], nullptr, 10);
  const std::uint64_t snapshots = std::strtoull(argv[2], nullptr, 10);
  const std::uint64_t count = std::min<std::uint64_t>(std::strtoull(argv[3], nullptr, 10), kPaths);
  std::vector<std::uint64_t> paths(kPaths);
  std::iota(paths.begin(), paths.end(), 0);
  for (std::uint64_t machine = 0; machine < machines; ++machine) {
    Random draw(machine);
    std::vector<std::uint64_t> units;
    std::sample(paths.begin(), paths.end(), std::back_inserter(units), count, draw);
    for (std::uint64_t moment = 0; moment < snapshots; ++moment)
      write_report(draw, machine, moment, units);
  }
  return 0;
}
