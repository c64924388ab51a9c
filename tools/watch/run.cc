// SPDX-License-Identifier: MIT
#include "tools/watch/run.h"

#include <unistd.h>

#include <exception>
#include <iostream>
#include <new>

#include "program/messages.h"
#include "program/own_memory.h"
#include "program/printable.h"
#include "program/terminal.h"
#include "tools/watch/verdict_lines.h"

namespace physmem::watch {
namespace {

Status watch_memory(const Options& options) {
  const auto tree = collect::ProcTree::open_running(options.root);
  if (!tree) return tree.error();
  Sampler sampler(*tree);
  Events discarded;
  // The first sample allocates the memory for all others.
  if (Status status = sampler.sample(discarded); !status) return status;
  if (const std::string problem = lock_memory(); !problem.empty())
    report(std::cerr, kProgramName, problem);
  const auto opened = open_pressure_wait(*tree, options.trigger, options.is_trigger_chosen);
  if (!opened) return opened.error();
  const auto& pressure = *opened;
  if (!options.plan.is_always_awake)
    report(std::cerr, kProgramName, "waiting for memory to be short, by " + pressure->name());
  const bool is_terminal = ::isatty(STDOUT_FILENO) != 0;
  if (is_terminal && !has_utf8()) use_ascii();
  VerdictLines sink(options.limits, options.is_json, options.plan.is_always_awake, is_terminal);
  Watcher watcher(options.plan, sampler, *pressure, sink, std::cout);
  Status status = watcher.run();
  if (watcher.skipped() != 0)
    report(std::cerr, kProgramName,
           std::to_string(watcher.skipped()) +
               " samples were skipped: one took longer than --interval");
  return status;
}

}  // namespace

Exit run(const Options& options) {
  try {
    const Status status = watch_memory(options);
    return status ? Exit::kDone : report_error(std::cerr, kProgramName, status.error());
  } catch (const std::bad_alloc&) {
    return report_error(
        std::cerr, kProgramName,
        {Error::Kind::kIo, "cannot go on: a sample needs more memory than there is"});
  } catch (const std::exception& error) {  // thrown by the standard library if memory is exhausted
    return report_error(std::cerr, kProgramName,
                        {Error::Kind::kIo, std::string("cannot go on: ") + error.what()});
  }
}

}  // namespace physmem::watch
