// SPDX-License-Identifier: MIT
// Measures CPU time and memory of physmem-view's server under a load of synthetic events.
//
//   view-load [--rate N] [--seconds N] [--page FILE] [--most-percent N]
//
// Prints the address, serves for the given time, and then prints one line of figures. The cost of
// making the events is measured first and subtracted. --page: the file to serve at /.
// --most-percent: the maximum cost in percent of a core while a page is open. Exit statuses: 0
// done; 1 it costs more; 2 wrong usage; 4 cannot read or listen; 5 --most-percent was given, and no
// page was open.
#include <sys/resource.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "tests/unit/viewer/synthetic_source.h"
#include "viewer/live_view.h"
#include "viewer/server.h"
#include "viewer/source_pump.h"

namespace {

using namespace physmem;

struct Plan {
  std::uint64_t rate = 100'000;
  unsigned seconds = 60;
  std::string page = "<!DOCTYPE html><title>physmem</title>";
  double max_percent = 0;  ///< 0 means no limit
};

double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

long max_rss_kib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

class Nowhere : public PagingSink {
 public:
  void on_header(const TraceHeader&) override {}
  void on_event(const PagingEvent& event) override {
    sum_ = sum_ + event.sequence + event.comm.size();
  }
  void on_lost(const LostEvents&) override {}

 private:
  volatile std::uint64_t sum_ = 0;
};

/// CPU time for making a million events.
double making() {
  SyntheticSource source({1'000'000, 1'000'000, 131040, 262144, false});
  Nowhere nowhere;
  const double before = cpu_seconds();
  while (*source.pump(nowhere, std::chrono::milliseconds(0)) == EventSource::State::kMore) {
  }
  return cpu_seconds() - before;
}

[[noreturn]] void refuse(const char* what, std::string_view found, int status) {
  std::fprintf(stderr, "view-load: %s: %.*s\n", what, static_cast<int>(found.size()), found.data());
  std::exit(status);
}

std::string contents(const char* path) {
  std::ifstream file(path);
  if (!file) refuse("cannot read", path, 4);
  return {std::istreambuf_iterator<char>(file), {}};
}

double number(const char* text) {
  char* end = nullptr;
  const double value = std::strtod(text, &end);
  if (end == text || *end != 0 || !(value > 0)) refuse("expected a number above 0, found", text, 2);
  return value;
}

Plan parse(int argc, char* argv[]) {
  Plan plan;
  for (int i = 1; i < argc; i += 2) {
    const std::string_view option = argv[i];
    if (i + 1 == argc) refuse("expected a value after", option, 2);
    if (option == "--rate")
      plan.rate = static_cast<std::uint64_t>(number(argv[i + 1]));
    else if (option == "--seconds")
      plan.seconds = static_cast<unsigned>(number(argv[i + 1]));
    else if (option == "--page")
      plan.page = contents(argv[i + 1]);
    else if (option == "--most-percent")
      plan.max_percent = number(argv[i + 1]);
    else
      refuse("expected --rate, --seconds, --page or --most-percent, found", option, 2);
  }
  return plan;
}

int judge(const Plan& plan, double percent, std::size_t clients) {
  if (plan.max_percent == 0) return 0;
  if (clients == 0) return std::fputs("view-load: no page was open at the end\n", stderr), 5;
  if (percent <= plan.max_percent) return 0;
  std::fprintf(stderr, "view-load: %.2f %% of a core, expected at most %.2f %%\n", percent,
               plan.max_percent);
  return 1;
}

}  // namespace

int main(int argc, char* argv[]) {
  const Plan plan = parse(argc, argv);
  const double each = making();
  view::TraceFeed feed;
  view::LiveShared shared{feed};
  boost::asio::io_context io;
  SyntheticSource source({plan.rate, ~std::uint64_t{0}, 131040, 262144, true});
  view::SourcePump pump(
      io, source, feed, [] { return 1.0; }, [](const Error&) {});
  view::Server server(io, {}, plan.page, [&] { return std::make_unique<view::LiveView>(shared); });
  if (const Status status = server.listen(); !status)
    return std::puts(status.error().text.c_str()), 4;
  std::printf("%s\n", server.url().c_str());
  std::fflush(stdout);
  const double before = cpu_seconds();
  pump.start();
  std::size_t max_clients = 0;
  boost::asio::steady_timer end(io, std::chrono::seconds(plan.seconds));
  end.async_wait([&](auto) {
    max_clients = shared.clients;
    server.close();
    pump.stop();
    io.stop();
  });
  io.run();
  const double cpu = cpu_seconds() - before - each * static_cast<double>(source.made()) / 1e6;
  std::printf(
      "%llu events in %u s, %zu clients: %.2f %% of a core (%.0f ns per event, without %.0f ns for "
      "making it), at most %ld KiB\n",
      static_cast<unsigned long long>(source.made()), plan.seconds, max_clients,
      100 * cpu / plan.seconds,
      1e9 * cpu / static_cast<double>(std::max<std::uint64_t>(source.made(), 1)), each * 1000,
      max_rss_kib());
  return judge(plan, 100 * cpu / plan.seconds, max_clients);
}
