// SPDX-License-Identifier: MIT
// Series of snapshots with T: and G: lines only, generated from rates, as a sampler would record
// them on such a machine.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace physmem {

/// Activity between two snapshots, as rates per second.
struct Second {
  double refaults = 0;
  double scanned = 0;
  double full = 0;  ///< fraction of the second
  struct Work {
    double majors = 0;
    double cpu_ms = 0;
    double minors = 0;
  };
  std::map<std::string, Work> processes = {};  ///< by name; a process that is missing has ended
  /// Pages scanned for limits of cgroups. Nothing: a series without this counter.
  std::optional<double> group_scanned = {};
  /// Times that memory.high held tasks of /g back. Nothing: a series without counters of groups.
  std::optional<double> held_back = {};
  bool is_evicting = false;  ///< as many pages as are read back
  double available = 0.5;    ///< fraction of memory
};

/// Writes a first snapshot, then one after each added step.
class SeriesText {
 public:
  /// If `with_system` is false, there are no G: lines.
  explicit SeriesText(double step = 1, bool with_system = true)
      : step_(step), with_system_(with_system) {}

  /// Adds `times` equal steps.
  SeriesText& add(const Second& second, int times = 1) {
    if (text_.empty()) {
      for (const auto& [name, work] : second.processes) start(name);
      write(second);
    }
    for (int i = 0; i < times; ++i) {
      advance(second);
      write(second);
    }
    return *this;
  }
  const std::string& text() const { return text_; }

 private:
  struct Sums {
    std::uint64_t pid = 0;
    std::uint64_t start = 0;
    double minors = 0, majors = 0, cpu_ms = 0;
  };

  void start(const std::string& name) {
    Sums& sums = processes_[name];
    sums.pid = 100 + processes_.size();
    sums.start = static_cast<std::uint64_t>(now_ * 100);
  }

  void advance(const Second& second) {
    now_ += step_;
    refaults_ += second.refaults * step_;
    scanned_ += second.scanned * step_;
    full_us_ += second.full * 1e6 * step_;
    group_scanned_ += second.group_scanned.value_or(0) * step_;
    held_back_ += second.held_back.value_or(0) * step_;
    const bool evicts = second.is_evicting || second.scanned + second.group_scanned.value_or(0) > 0;
    if (!evicts) lru_kib_ += second.refaults * 4 * step_;
    for (const auto& [name, work] : second.processes) {
      if (processes_.count(name) == 0) start(name);
      Sums& sums = processes_[name];
      sums.minors += work.minors * step_;
      sums.majors += work.majors * step_;
      majors_ += work.majors * step_;
      sums.cpu_ms += work.cpu_ms * step_;
    }
  }

  void write(const Second& second) {
    const auto ns = static_cast<std::uint64_t>(now_ * 1e9);
    text_ += fmt::format(
        "H: 2, arch=x86_64, page_size=4096, kernel=6.1.0, collector=proc, time_ns={}, "
        "uptime_ns={}, hz=1000, "
        "ram_pages=100000, phys_mask=FFFFFFFFFF000, pte=none, prot=none, flags=kpf, "
        "count=mapcount, "
        "pages=none, "
        "pfn=shown\n",
        1763683200000000000U + ns, ns);
    if (with_system_)
      text_ += fmt::format(
          "G: vm.workingset_refault_anon={:.0f}, vm.workingset_refault_file=0, "
          "vm.pgscan_kswapd={:.0f}, "
          "vm.pgscan_direct=0, vm.pgmajfault={:.0f}, psi.memory.some_us={:.0f}, "
          "psi.memory.full_us={:.0f}, "
          "mem.Active_anon_kB={:.0f}, mem.Inactive_anon_kB=200000, "
          "mem.MemTotal_kB=1000000, mem.MemAvailable_kB={:.0f}\n",
          refaults_, scanned_, majors_, full_us_, full_us_, lru_kib_, second.available * 1e6);
    if (second.group_scanned)
      text_ +=
          fmt::format("G: vm.pgscan_anon={:.0f}, vm.pgscan_file=0\n", scanned_ + group_scanned_);
    std::uint64_t tasks = 0;
    for (const auto& [name, sums] : processes_) {
      if (second.processes.count(name) == 0) continue;
      if (second.held_back && tasks == 0)
        text_ += fmt::format("G: group.some_us={:.0f}, group.high={:.0f}\n", full_us_, held_back_);
      text_ += fmt::format(
          "T: {:<8}, {}, 00000000, 0, 0, 0, 0, 0, 0, 0, {}, {}, 1, 0, {:.0f}, {:.0f}, {:.0f}, 0, "
          "/g\n",
          name, sums.pid, sums.pid, sums.start, sums.minors, sums.majors, sums.cpu_ms);
      ++tasks;
    }
    text_ += fmt::format("E: {}, 0, 0, 0, 0\n", tasks);
  }

  double step_;
  bool with_system_;
  double now_ = 1000;  ///< s since boot
  double refaults_ = 0, scanned_ = 0, full_us_ = 0, majors_ = 0, group_scanned_ = 0, held_back_ = 0;
  double lru_kib_ = 200000;
  std::map<std::string, Sums> processes_;
  std::string text_;
};

}  // namespace physmem
