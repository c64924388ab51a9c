// SPDX-License-Identifier: MIT
#include "tools/monitor/live.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <ostream>
#include <utility>

#include "program/signals.h"

namespace physmem::monitor {
namespace {

using Clock = std::chrono::steady_clock;

/// Returns early when a signal comes.
void sleep_until(Clock::time_point when) {
  const auto left =
      std::chrono::duration_cast<std::chrono::nanoseconds>(when - Clock::now()).count();
  if (left <= 0) return;
  constexpr std::int64_t kBillion = 1'000'000'000;
  const timespec time{static_cast<std::time_t>(left / kBillion),
                      static_cast<long>(left % kBillion)};
  ::nanosleep(&time, nullptr);
}

std::string bar(double rate) {
  constexpr int kWidth = 20;
  const double steps = rate >= 1 ? 1 + std::log10(rate) / 4 * (kWidth - 1) : 0;
  const auto full = static_cast<std::size_t>(std::clamp(steps, 0.0, double{kWidth}));
  return std::string(full, '#') + std::string(kWidth - full, ' ');
}

/// The newest sample seen so far, and the inferred clock.
class Watch {
 public:
  Watch(const ProfileBuffer& buffer, const LiveOptions& options)
      : buffer_(buffer), options_(options) {
    fresh();
  }

  /// The samples since the last call.
  std::vector<Sample> fresh() {
    std::vector<Sample> samples = in_order_of_time(buffer_.read().samples);
    if (!hz_) hz_ = options_.hz ? options_.hz : hz_of(samples);
    if (last_) samples = newer_than(*last_, std::move(samples));
    if (!samples.empty()) last_ = samples.back();
    return samples;
  }
  LiveRates rates(double seconds) {
    const std::vector<Sample> samples = fresh();
    return rates_of(samples, seconds, hz_, options_.unit);
  }

 private:
  const ProfileBuffer& buffer_;
  const LiveOptions& options_;
  std::optional<Sample> last_;
  std::optional<unsigned> hz_;
};

}  // namespace

std::vector<Sample> newer_than(const Sample& last, std::vector<Sample> samples) {
  constexpr std::uint64_t kHalf = std::uint64_t{1} << 31;
  const auto is_old = [&last](const Sample& sample) {
    const std::uint64_t ticks = ticks_between(last, sample);
    return ticks == 0 || ticks > kHalf;
  };
  samples.erase(std::remove_if(samples.begin(), samples.end(), is_old), samples.end());
  return samples;
}

LiveRates rates_of(const std::vector<Sample>& samples, double seconds, std::optional<unsigned> hz,
                   CpuUnit unit) {
  if (samples.empty() || !(seconds > 0)) return {};
  LiveRates rates{.has_samples = true};
  double cpu = 0;
  for (const Sample& sample : samples) {
    rates.minor += static_cast<double>(sample.minor) / seconds;
    rates.major += static_cast<double>(sample.major) / seconds;
    cpu += static_cast<double>(sample.cpu) / seconds;
  }
  if (unit == CpuUnit::kNanoseconds) rates.cpu_percent = cpu / 1e9 * 100;
  if (unit == CpuUnit::kJiffies && hz) rates.cpu_percent = cpu / *hz * 100;
  return rates;
}

std::string live_line(const LiveRates& rates) {
  if (!rates.has_samples)
    return "no samples: is a process registered? echo R PID > /proc/mp3/status";
  std::array<char, 32> cpu{"       ?"};
  if (rates.cpu_percent) std::snprintf(cpu.data(), cpu.size(), "%8.1f", *rates.cpu_percent);
  std::array<char, 160> line;
  std::snprintf(line.data(), line.size(), "minor %10.0f/s  major %8.0f/s  CPU %s %%  |%s|",
                rates.minor, rates.major, cpu.data(), bar(rates.major).c_str());
  return line.data();
}

void show_live(const ProfileBuffer& buffer, std::ostream& out, const LiveOptions& options) {
  catch_signals();
  Watch watch(buffer, options);
  Clock::time_point before = Clock::now();
  for (auto next = before + std::chrono::seconds(1); !interrupted();
       next += std::chrono::seconds(1)) {
    sleep_until(next);
    if (interrupted()) break;
    const Clock::time_point now = Clock::now();
    const std::string line =
        live_line(watch.rates(std::chrono::duration<double>(now - before).count()));
    before = now;
    if (options.in_place)
      out << '\r' << line << "\x1B[K" << std::flush;  // clears the rest of a longer line
    else
      out << line << '\n' << std::flush;
    if (!out) return;
  }
  if (options.in_place) out << '\n';
}

}  // namespace physmem::monitor
