// SPDX-License-Identifier: MIT
#include "collector-proc/ram/frame_blocks.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "collector-proc/entry_file.h"
#include "formats/emit/flags.h"

namespace physmem::collect {
namespace {

/// Fills `into` from entry `first` on, and the rest with 0. Returns the number of whole entries.
std::size_t fill_entries(const UniqueFd& file, std::uint64_t first, std::span<std::uint64_t> into) {
  std::size_t done = 0;
  while (file && done < into.size()) {
    const ssize_t got = read_entries(file.get(), first + done, into.subspan(done));
    if (got <= 0) break;
    done += static_cast<std::size_t>(got);
  }
  std::fill(into.begin() + static_cast<std::ptrdiff_t>(done), into.end(), 0);
  return done;
}

}  // namespace

FrameBlocks::FrameBlocks(const ProcTree& tree, std::uint64_t page_size)
    : files_(open_frame_files(tree, page_size)), cgroups_file_(open_at(tree.fd(), "kpagecgroup")) {}

std::size_t FrameBlocks::read(std::uint64_t first, std::uint64_t end) {
  const auto frames = static_cast<std::size_t>(std::min<std::uint64_t>(kFrames, end - first));
  for (std::vector<std::uint64_t>* column : {&flags_, &counts_, &cgroups_}) column->resize(frames);
  const std::size_t found = fill_entries(files_.kpageflags, first, flags_);
  fill_entries(files_.kpagecount, first, counts_);
  fill_entries(cgroups_file_, first, cgroups_);
  if (!files_.is_ksm_flag_valid)
    for (std::uint64_t& flags : flags_) flags &= ~std::uint64_t{PM_PAGE_KSM};
  return found;
}

}  // namespace physmem::collect
