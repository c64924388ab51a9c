// SPDX-License-Identifier: MIT
// Compares two snapshots of all processes of one machine, taken while some processes were stopped.
// Prints each difference in these processes, with its reason if it follows from the snapshots.
#include <cerrno>
#include <cstring>
#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/conformance/difference_reason.h"
#include "tests/conformance/snapshot_agreement.h"

namespace {

using namespace physmem::conformance;
using Ids = std::set<std::uint64_t>;

constexpr char kUsage[] =
    "usage: compare-snapshots [--raw] [--pids LIST|FILE] A B\n"
    "  --raw     also page protection, raw flags and page-table bits, which /proc does not show\n"
    "  --pids    processes that stood still, separated by commas; without it all did\n"
    "Exit status: 0 no difference without a reason, 1 some, 2 wrong usage, 4 a snapshot cannot be "
    "read\n";
constexpr std::uint64_t kKsm = 1u << 21;

struct Options {
  bool is_raw = false;
  std::string pids;
  std::vector<std::string> files;
};

Options parse_options(const std::vector<std::string>& words) {
  Options options;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--raw")
      options.is_raw = true;
    else if (words[i] == "--pids" && i + 1 < words.size())
      options.pids = words[++i];
    else
      options.files.push_back(words[i]);
  }
  return options;
}

std::string text_in(const std::string& name) {
  std::ifstream file(name);
  if (!file) throw std::runtime_error("cannot read " + name + ": " + std::strerror(errno));
  return {std::istreambuf_iterator<char>(file), {}};
}

Snapshot snapshot_in(const std::string& name) {
  try {
    return read_snapshot(text_in(name));
  } catch (const std::exception& error) {
    throw std::runtime_error(name + ": " + error.what());
  }
}

Ids ids_in(const std::string& list) {
  const bool is_list = list.find_first_not_of("0123456789,") == std::string::npos;
  std::istringstream stream(is_list ? list : text_in(list));
  Ids ids;
  for (std::string id; std::getline(stream, id, ',');) ids.insert(std::stoull(id));
  return ids;
}

/// The processes of the given tasks.
Ids processes_of(const Snapshot& snapshot, const Ids& ids) {
  Ids processes;
  for (const TaskRecord& task : snapshot.tasks)
    if (ids.empty() || ids.contains(task.pid)) processes.insert(task.tgid);
  return processes;
}

/// Drops the tasks of other processes. VMAs below a dropped task move to the first remaining task
/// of the same address space.
Snapshot reduced(Snapshot snapshot, const Ids& processes) {
  std::map<std::uint64_t, std::vector<AreaRecord>> areas;
  for (TaskRecord& task : snapshot.tasks)
    if (!task.areas.empty()) areas[task.mm] = std::move(task.areas);
  std::erase_if(snapshot.tasks,
                [&](const TaskRecord& task) { return !processes.contains(task.tgid); });
  for (TaskRecord& task : snapshot.tasks) {
    task.areas = {};
    if (auto found = areas.extract(task.mm)) task.areas = std::move(found.mapped());
  }
  return snapshot;
}

Comparing comparing(const Options& options, const Snapshot& a, const Snapshot& b) {
  Comparing how;
  how.is_raw = options.is_raw;
  how.spares_observers = false;  // the snapshots contain the observers as well
  how.flags_left_out = 0;
  if (a.counters.contains("note.ksm_unknown") != b.counters.contains("note.ksm_unknown")) {
    how.flags_left_out = kKsm;
    std::cout << "left out: the KSM flag, which the kernel hid from one of the snapshots "
                 "(note.ksm_unknown)\n";
  }
  return how;
}

// Returns the number of differences without a reason.
std::size_t print(const std::vector<Difference>& differences, const Reasons& reasons) {
  std::size_t without = 0;
  for (const Difference& difference : differences) {
    const std::string reason = reasons.of(difference);
    without += reason.empty();
    std::cout << difference.place << ": " << difference.what
              << (reason.empty() ? "" : " -- " + reason) << "\n";
  }
  std::cout << differences.size() << " differences, " << without << " without a reason\n";
  return without;
}

bool is_agreed(const Options& options) {
  const Snapshot a = snapshot_in(options.files[0]);
  const Snapshot b = snapshot_in(options.files[1]);
  Ids still = options.pids.empty() ? Ids{} : ids_in(options.pids);
  for (const std::uint64_t id : still)
    if (processes_of(a, {id}).empty())
      throw std::runtime_error("the first snapshot has no process or thread " + std::to_string(id));
  still.merge(processes_of(a, still));
  const Snapshot of_a = reduced(a, still);
  if (of_a.tasks.empty())
    throw std::runtime_error(
        "there is nothing to compare: the first snapshot has none of these processes");
  std::cout << of_a.tasks.size() << " tasks\n";
  const auto differences = differences_between(of_a, reduced(b, still), comparing(options, a, b));
  return print(differences, Reasons(a, b, still)) == 0;
}

}  // namespace

int main(int argc, char* argv[]) {
  const Options options = parse_options({argv + 1, argv + argc});
  if (options.files.size() != 2 || options.files[0].starts_with("--")) {
    std::cerr << kUsage;
    return 2;
  }
  try {
    return is_agreed(options) ? 0 : 1;
  } catch (const std::exception& error) {
    std::cerr << "compare-snapshots: " << error.what() << "\n";
    return 4;
  }
}
