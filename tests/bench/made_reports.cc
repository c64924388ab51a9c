// SPDX-License-Identifier: MIT
// made-reports MACHINES SNAPSHOTS ROWS [NAMES]: writes reports of machines that do not exist, in
// the text of `physmem-fleet rows`. Each machine has SNAPSHOTS five hours apart. Each has ROWS
// rows: four counters, NAMES (default: a fifth of ROWS) commands out of 500, and otherwise
// units out of 3,000 paths. Sizes differ by machine. Sizes of a unit change in every fourth
// snapshot, sizes of a name in each; every tenth unit and name grows.
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
constexpr std::uint64_t kNames = 500;
constexpr std::uint64_t kCounters = 4;
constexpr std::uint64_t kPage = 4096;

using Random = std::mt19937_64;

/// The step of splitmix64: the same for the same number.
std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

void write_unit(std::uint64_t machine, std::uint64_t number, std::uint64_t moment) {
  const std::uint64_t round = (moment + number) / 4;
  const std::uint64_t noise = mixed((machine * kPaths + number) * 65536 + round);
  const std::uint64_t base = 40 + number * 37 % 900;
  const std::uint64_t text = (base + noise % (base / 8 + 1)) * kPage;
  const std::uint64_t data =
      (base / 4 + (noise >> 32) % 8 + (number % 10 == 0 ? round : 0)) * kPage;
  const std::uint64_t bss = base / 16 * kPage;
  const std::uint64_t size = text + data + bss;
  std::printf(
      "units\t/usr/lib/x86_64-linux-gnu/libmade%04lu.so.%lu\t%lu\t%lu\t%lu\t%lu\t%lu\t%lu"
      "\t%lu\t%lu\n",
      number, number % 7, text, data, bss, 1 + number % 40, data + bss, size,
      size * (1 + number % 5), number % 3);
}

void write_name(Random& draw, std::uint64_t number, std::uint64_t moment) {
  const std::uint64_t pages = 500 + number * 61 % 9000;
  const std::uint64_t uss =
      (pages + draw() % (pages / 16) + (number % 10 == 0 ? 50 * moment : 0)) * kPage;
  const std::uint64_t rss = uss + (2000 + number % 100) * kPage;
  std::printf(
      "names\tmade-daemon%lu\t/system.slice/made%lu.service\t%lu\t%lu\t%lu\t%lu\t%lu\t%lu\t%lu"
      "\t%lu\n",
      number, number, 1 + number % 4, uss, uss + kPage * (number % 1000), rss, number % 5 * kPage,
      rss, 1000 + moment * (10 + number % 90), number % 3);
}

void write_counters(Random& draw) {
  constexpr std::uint64_t kTotal = std::uint64_t{32} << 30;
  std::printf(
      "counters\tmem.MemAvailable\t%lu\ncounters\tmem.MemTotal\t%lu\n"
      "counters\tmem.SwapFree\t0\ncounters\tmem.SwapTotal\t0\n",
      kTotal / 4 + draw() % (kTotal / 4) / kPage * kPage, kTotal);
}

struct Machine {
  std::uint64_t number;
  std::vector<std::uint64_t> units;
  std::vector<std::uint64_t> names;
};

void write_report(Random& draw, const Machine& machine, std::uint64_t moment) {
  Random identity(~machine.number);
  const std::uint64_t time = kStart + moment * 18000 + machine.number % 300;
  const auto high = identity();
  const auto low = identity();
  std::printf(
      "physmem-fleet-rows 1\nsnapshot\t%016lx%016lx%016lx%016lx\t%016lx%016lx\thost%lu\t%032d"
      "\t6.1.0\tx86_64\tproc\t\t\t%lu%09lu\t%lu000000000\t%lu\t4096\t34359738368\t1\t0\t0\n",
      draw(), draw(), draw(), draw(), high, low, machine.number, 0, time, draw() % 1'000'000'000,
      moment + 1, moment);
  for (const std::uint64_t unit : machine.units) write_unit(machine.number, unit, moment);
  write_counters(draw);
  for (const std::uint64_t name : machine.names) write_name(draw, name, moment);
  std::printf("end\t%zu\n", machine.units.size() + kCounters + machine.names.size());
}

/// `count` of the numbers below `all`, in order.
std::vector<std::uint64_t> some(Random& draw, std::uint64_t all, std::uint64_t count) {
  std::vector<std::uint64_t> numbers(all), drawn;
  std::iota(numbers.begin(), numbers.end(), 0);
  std::sample(numbers.begin(), numbers.end(), std::back_inserter(drawn), count, draw);
  return drawn;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4 && argc != 5) return 2;
  const std::uint64_t machines = std::strtoull(argv[1], nullptr, 10);
  const std::uint64_t snapshots = std::strtoull(argv[2], nullptr, 10);
  const std::uint64_t rows = std::strtoull(argv[3], nullptr, 10);
  const std::uint64_t names = argc == 5 ? std::strtoull(argv[4], nullptr, 10) : rows / 5;
  if (rows < names + kCounters || rows - names - kCounters > kPaths || names > kNames) return 2;
  for (std::uint64_t number = 0; number < machines; ++number) {
    Random draw(number);
    const Machine machine{number, some(draw, kPaths, rows - names - kCounters),
                          some(draw, kNames, names)};
    for (std::uint64_t moment = 0; moment < snapshots; ++moment)
      write_report(draw, machine, moment);
  }
  return 0;
}
