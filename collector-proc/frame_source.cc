// SPDX-License-Identifier: MIT
#include "collector-proc/frame_source.h"

#include <unistd.h>

namespace physmem::collect {
namespace {

constexpr std::uint64_t kFrameMask = (std::uint64_t{1} << 55) - 1;

bool shows_our_frames(const ProcTree& tree, std::uint64_t page_size) {
  const UniqueFd pagemap = open_at(tree.fd(), (std::to_string(::getpid()) + "/pagemap").c_str());
  volatile const char touched = 1;
  const std::uint64_t vpn = reinterpret_cast<std::uintptr_t>(&touched) / page_size;
  std::uint64_t entry = 0;
  const ssize_t got = ::pread(pagemap.get(), &entry, sizeof entry, static_cast<off_t>(vpn * sizeof entry));
  return got == ssize_t{sizeof entry} && (entry & kFrameMask) != 0;
}

}  // namespace

FrameFiles open_frame_files(const ProcTree& tree, std::uint64_t page_size) {
  FrameFiles files{open_at(tree.fd(), "kpagecount"), open_at(tree.fd(), "kpageflags"), false};
  if (!files.kpagecount || !files.kpageflags) return files;
  files.are_visible = !tree.is_live() || shows_our_frames(tree, page_size);
  return files;
}

}  // namespace physmem::collect
