// SPDX-License-Identifier: MIT
#include "collector-proc/run.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <exception>

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
  // A container or a security module may keep things even from root.
  const std::string advice =
      ::geteuid() == 0 ? "root is not enough here: run it outside of containers" : kHowToSee;
  const std::string hidden = count_of(losses.areas_hidden, "process", "processes");
  if (losses.frames_hidden)
    say("the kernel hides frame numbers from us (no CAP_SYS_ADMIN): the snapshot has page counts instead of "
        "pages" +
        (losses.areas_hidden > 0 ? ", and nothing of the areas of " + hidden : std::string()) + "; " +
        advice);
  else if (losses.areas_hidden > 0)
    say("the kernel does not let us look into " + hidden + ": the areas are missing; " + advice);
  else if (losses.frame_missing > 0)
    say(count_of(losses.frame_missing, "page was", "pages were") + " left out, the frame number is hidden; " +
        advice);
}

bool is_terminal(const Options& options) {
  return (options.output.empty() || options.output == "-") && ::isatty(STDOUT_FILENO) != 0;
}

// Otherwise the first file opened takes the number of a closed one: messages would go into the snapshot.
void fill_standard_descriptors() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(fd, F_GETFD) >= 0) continue;
    // Not to be written to: a snapshot for a closed standard output is an error, not thrown away.
    (void)::open("/dev/null", fd == STDOUT_FILENO ? O_RDONLY : O_RDWR);
  }
}

// After an error the output, destroyed here, has left nothing behind.
Result<Losses> write_snapshot(const Options& options) {
  const Result<ProcTree> tree = ProcTree::open(options.root);
  if (!tree) return tree.error();
  const Result<std::unique_ptr<Output>> output = open_output(options.output);
  if (!output) return output.error();
  Progress progress(!is_terminal(options));
  Result<Losses> losses = collect(*tree, this_machine(), options.scope, **output, progress);
  if (!losses) return losses;
  if (const int error = (*output)->finish(); error != 0) return output_error(**output, error);
  return losses;
}

// The standard library throws when memory is out.
Result<Losses> write_snapshot_or_fail(const Options& options) {
  try {
    return write_snapshot(options);
  } catch (const std::exception& error) {
    return Error{ExitStatus::kIo, std::string("cannot go on: ") + error.what()};
  }
}

}  // namespace

ExitStatus complain(const Error& error) {
  if (!error.text.empty()) say(error.text);
  return error.status;
}

ExitStatus run(const Options& options) {
  fill_standard_descriptors();
  catch_signals();
  const Result<Losses> losses = write_snapshot_or_fail(options);
  if (!losses) {
    die_of_signal();
    return complain(losses.error());
  }
  tell_losses(*losses);
  return losses->is_incomplete() ? ExitStatus::kIncomplete : ExitStatus::kDone;
}

}  // namespace physmem::collect
