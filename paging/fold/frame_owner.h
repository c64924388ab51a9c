// SPDX-License-Identifier: MIT
// Whose page was in a frame: for the swap-outs of which the kernel did not tell.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "paging/parse/paging_sink.h"

namespace physmem {

/// Passes everything on; a swap-out without owner gets the one that its frame was *last seen with*,
/// and the flag PM_PAGING_OWNER_KEPT.
///
/// A frame is seen with a process and address when a fault brings a page into it (a hit in the swap
/// cache, too), or when a snapshot lists it as mapped once. That is forgotten when the frame's page
/// is swapped out; when it is read into by anything whose page is not known (readahead, shared
/// memory, a fault that failed or is to be tried again); and when the same address of the same
/// process is seen in another frame. What no event tells is not known: a process may end and its
/// frame be given to another, whose page is then swapped out. So "kept" is evidence, not proof, and
/// "mapped" is what the kernel itself has read in the page tables.
class FrameOwner : public PagingSink {
 public:
  /// Frames: some 150 MB. Further ones are not remembered, and counted.
  static constexpr std::size_t kMax = std::size_t{1} << 20;
  /// Processes, each pid again with each new name. When there are more, everything is forgotten,
  /// and counted.
  static constexpr std::size_t kMaxProcesses = std::size_t{1} << 16;

  explicit FrameOwner(PagingSink& to, std::size_t most = kMax) : to_(to), most_(most) {}

  void on_header(const TraceHeader& header) override { to_.on_header(header); }
  void on_event(const PagingEvent& event) override;
  void on_lost(const LostEvents& lost) override { to_.on_lost(lost); }

  struct Process {
    std::uint32_t tgid = 0;
    std::uint32_t pid = 0;
    std::string comm = {};
    friend bool operator==(const Process&, const Process&) = default;
  };
  /// As from a snapshot.
  void see(std::uint64_t pfn, const Process& process, std::uint64_t address);

  std::uint64_t kept() const { return kept_; }          ///< swap-outs that got an owner here
  std::uint64_t forgotten() const { return no_room_; }  ///< frames that there was no room for

 private:
  struct Place {
    std::uint32_t process = 0;  // index
    std::uint64_t address = 0;
  };
  struct Page {
    std::uint32_t tgid = 0;
    std::uint64_t address = 0;
    friend bool operator==(const Page&, const Page&) = default;
  };
  struct PageHash {
    std::size_t operator()(const Page& page) const {
      return std::hash<std::uint64_t>()(page.address ^ std::uint64_t{page.tgid} << 44);
    }
  };

  std::uint32_t index_of(const Process& process);
  void forget(std::uint64_t pfn);
  void forget_all();
  void learn(const PagingEvent& event);
  void fill(PagingEvent& event);

  PagingSink& to_;
  std::size_t most_;
  std::unordered_map<std::uint64_t, Place> places_;           // by frame
  std::unordered_map<Page, std::uint64_t, PageHash> frames_;  // the other way round
  std::vector<Process> processes_;
  std::unordered_map<std::uint32_t, std::uint32_t>
      latest_;  // by pid: index of the process it is now
  std::uint64_t kept_ = 0;
  std::uint64_t no_room_ = 0;
};

}  // namespace physmem
