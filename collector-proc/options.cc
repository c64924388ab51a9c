// SPDX-License-Identifier: MIT
#include "collector-proc/options.h"

#include <getopt.h>

#include <limits>

#include "collector-proc/text_cursor.h"

namespace physmem::collect {
namespace {

constexpr const char* kHelp =
    R"(physmem-collect: write down which page of which task is where in physical memory

USAGE
  physmem-collect [OPTION]...

OPTIONS
  -o, --output FILE  write the snapshot to FILE, readable by you alone; it appears when it is complete.
                     A name ending in .zst is compressed [default: -, standard output]
      --pid LIST     only these processes, ids separated by commas; the id of a thread means its process
                     [default: all]
      --root DIR     read this /proc tree [default: /proc]
      --no-pages     tasks, areas and page counts, but no line for pages [default: pages too]
  -h, --help         print this page
      --version      print the version

EXAMPLES
  sudo physmem-collect -o today.txt.zst                       the whole system
  sudo physmem-collect --pid 1,4711 | physmem-analyze -       two processes, analysed at once
  physmem-collect --no-pages                                  without root: your own processes, counts only

EXIT STATUS
  0 done   2 wrong usage   3 the /proc tree makes no sense   4 input/output error (also: the reader closed
  the pipe)   5 done, but data was missing (see the message and the note.* counters of the snapshot)
)";

enum LongOption { kPid = 256, kRoot, kNoPages, kVersion };

constexpr option kOptions[] = {
    {"output", required_argument, nullptr, 'o'},
    {"pid", required_argument, nullptr, kPid},
    {"root", required_argument, nullptr, kRoot},
    {"no-pages", no_argument, nullptr, kNoPages},
    {"help", no_argument, nullptr, 'h'},
    {"version", no_argument, nullptr, kVersion},
    {nullptr, 0, nullptr, 0},
};

Error wrong_usage(const std::string& what) {
  return {ExitStatus::kUsage, what + "; physmem-collect --help tells the options"};
}

Status parse_pids(const std::string& list, std::vector<Pid>& into) {
  TextCursor cursor(list);
  do {
    const auto pid = cursor.number();
    const bool is_pid = pid && *pid > 0 && *pid <= std::uint64_t{std::numeric_limits<int>::max()};
    if (!is_pid || !(cursor.at_end() || cursor.rest().front() == ','))
      return wrong_usage("--pid wants process ids separated by commas, not " + quoted(list));
    into.push_back(*pid);
  } while (cursor.skip(','));
  return Done{};
}

Status apply(int option, const char* value, Options& options) {
  switch (option) {
    case 'o':
      options.output = value;
      return Done{};
    case kPid:
      return parse_pids(value, options.scope.pids);
    case kRoot:
      options.root = value;
      return Done{};
    case kNoPages:
      options.scope.with_pages = false;
      return Done{};
    case 'h':
      options.message = kHelp;
      return Done{};
    case kVersion:
      options.message = "physmem-collect " PHYSMEM_VERSION "\n";
      return Done{};
    default:
      return wrong_usage("wrong option");
  }
}

}  // namespace

Result<Options> parse_options(int argc, char* argv[]) {
  Options options;
  opterr = 0;
  optind = 0;  // start anew: tests parse more than once
  for (;;) {
    const int at = optind > 0 ? optind : 1;
    const int option = ::getopt_long(argc, argv, ":o:h", kOptions, nullptr);
    if (option < 0) break;
    if (option == '?') return wrong_usage("unknown option " + std::string(argv[at]));
    if (option == ':') return wrong_usage("option " + std::string(argv[at]) + " wants a value");
    if (const Status status = apply(option, optarg, options); !status) return status.error();
    if (!options.message.empty()) return options;
  }
  if (optind < argc) return wrong_usage("unexpected word " + quoted(argv[optind]));
  return options;
}

}  // namespace physmem::collect
