// SPDX-License-Identifier: MIT
#include "collector-proc/run.h"

#include <unistd.h>

#include <cstdio>

#include "collector-proc/machine.h"
#include "collector-proc/output.h"
#include "collector-proc/signals.h"

namespace physmem::collect {
namespace {

constexpr const char* kHowToSee =
    "run it as root (sudo), or give it the right once: "
    "setcap cap_sys_admin,cap_sys_ptrace,cap_dac_read_search+ep physmem-collect";

void say(const std::string& sentence) {
  std::fprintf(stderr, "physmem-collect: %s\n", sentence.c_str());
}

std::string count_of(std::uint64_t n, const std::string& thing, const std::string& plural) {
  return std::to_string(n) + " " + (n == 1 ? thing : plural);
}

// One sentence: what is missing and how to get it.
void tell_losses(const Losses& losses) {
  const std::string hidden = count_of(losses.areas_hidden, "process", "processes");
  // A container or a security module may keep things even from root.
  const std::string advice =
      ::geteuid() == 0 ? "root is not enough here: run it outside of containers" : kHowToSee;
  if (losses.frames_hidden)
    say("the kernel hides frame numbers from us (no CAP_SYS_ADMIN): the snapshot has page counts, but no "
        "pages and " +
        hidden + " without areas; " + advice);
  else if (losses.areas_hidden > 0)
    say("the kernel does not let us look into " + hidden + ": the areas are missing; " + advice);
  else if (losses.frame_missing > 0)
    say(count_of(losses.frame_missing, "page was", "pages were") + " left out, the frame number is hidden; " +
        advice);
}

bool is_terminal(const Options& options) {
  return (options.output.empty() || options.output == "-") && ::isatty(STDOUT_FILENO) != 0;
}

Result<Losses> write_snapshot(const Options& options, const ProcTree& tree, Output& output) {
  Progress progress(!is_terminal(options));
  const Result<Losses> losses = collect(tree, this_machine(), options.scope, output, progress);
  if (!losses) return losses;
  if (const int error = output.finish(); error != 0) return output_error(output, error);
  return losses;
}

}  // namespace

ExitStatus complain(const Error& error) {
  if (!error.text.empty()) say(error.text);
  return error.status;
}

ExitStatus run(const Options& options) {
  catch_signals();
  const Result<ProcTree> tree = ProcTree::open(options.root);
  if (!tree) return complain(tree.error());
  Result<std::unique_ptr<Output>> output = open_output(options.output);
  if (!output) return complain(output.error());
  const Result<Losses> losses = write_snapshot(options, *tree, **output);
  if (!losses) {
    output->reset();  // removes the unfinished file
    die_of_signal();
    return complain(losses.error());
  }
  tell_losses(*losses);
  return losses->is_incomplete() ? ExitStatus::kIncomplete : ExitStatus::kDone;
}

}  // namespace physmem::collect
