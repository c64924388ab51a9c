// SPDX-License-Identifier: MIT
// Any file as a recording of physmem-top gives rounds and details of their processes, or an error.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <string>

#include "program/unique_fd.h"
#include "tests/fuzz/check.h"
#include "top/sample/replay_source.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace physmem;
  const UniqueFd file(::memfd_create("fuzz", MFD_CLOEXEC));
  PHYSMEM_CHECK(::write(file.get(), data, size) == static_cast<ssize_t>(size));
  top::ReplaySource replay("/proc/self/fd/" + std::to_string(file.get()));
  const auto history = replay.read();
  if (!history) {
    PHYSMEM_CHECK(!history.error().text.empty());
    return 0;
  }
  for (std::size_t i = 0; i < history->size(); ++i) {
    PHYSMEM_CHECK(history->number(i) == i && history->index_of(i) == i);
    const top::Round& round = history->at(i);
    if (round.processes.empty()) continue;
    replay.request_details(round.processes.front()->pid, i);
    PHYSMEM_CHECK(replay.details() != nullptr || !replay.no_details().empty());
  }
  return 0;
}
