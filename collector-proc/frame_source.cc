// SPDX-License-Identifier: MIT
#include "collector-proc/frame_source.h"

#include <unistd.h>

#include <optional>

#include "collector-proc/entry_file.h"
#include "formats/emit/flags.h"

namespace physmem::collect {
namespace {

// Frame of a page of this process's stack; 0 if the kernel hides it.
std::uint64_t frame_of_ours(const ProcTree& tree, std::uint64_t page_size) {
  const UniqueFd pagemap = open_at(tree.fd(), (std::to_string(::getpid()) + "/pagemap").c_str());
  volatile const char touched = 1;
  const std::uint64_t vpn = reinterpret_cast<std::uintptr_t>(&touched) / page_size;
  return entry_at(pagemap.get(), vpn).value_or(0) & kFrameMask;
}

}  // namespace

FrameFiles open_frame_files(const ProcTree& tree, std::uint64_t page_size) {
  FrameFiles files;
  for (auto [file, name] :
       {std::pair(&files.kpagecount, "kpagecount"), std::pair(&files.kpageflags, "kpageflags")}) {
    *file = open_at(tree.fd(), name);
    if (!*file) files.are_missing = files.are_missing || errno == ENOENT;
  }
  if (!files.kpagecount || !files.kpageflags) return files;
  files.are_visible = true;
  if (!tree.is_live()) return files;
  const std::uint64_t ours = frame_of_ours(tree, page_size);
  files.are_visible = ours != 0;
  files.is_ksm_flag_valid = (entry_at(files.kpageflags.get(), ours).value_or(0) & PM_PAGE_KSM) == 0;
  return files;
}

}  // namespace physmem::collect
