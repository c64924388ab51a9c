// SPDX-License-Identifier: MIT
// Infers the owner of swap-outs for which the kernel reported none.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "paging/parse/paging_sink.h"

namespace physmem {

/// A swap-out without owner gets the owner that its frame was *last seen with*, and the flag
/// PM_PAGING_OWNER_KEPT. This is the only place with that rule.
///
/// A frame is seen with a process and address when a fault brings a page into it, including
/// swap-cache hits, or when a snapshot lists it as mapped once. An owner is dropped when (1) the
/// page is swapped out, (2) an unknown page is read into the frame, or (3) the same page is seen in
/// another frame. An unknown page comes from readahead, from shared memory, or from a fault that
/// failed or will be retried. A page is the same if process and address are.
///
/// Changes without an event stay unknown: a process may end, and another process may get its frame
/// before the swap-out. An inferred ("kept") owner is therefore evidence, not proof. An observed
/// ("mapped") owner was read from the page tables by the kernel.
class FrameOwner {
 public:
  /// Remembered frames, some 150 MB. Frames beyond this limit are counted only.
  static constexpr std::size_t kMax = std::size_t{1} << 20;
  /// Remembered processes. A pid with a new name counts again. Beyond this limit, all frames are
  /// dropped and counted.
  static constexpr std::size_t kMaxProcesses = std::size_t{1} << 16;

  static constexpr std::size_t kFrameBytes = 150;  ///< per remembered frame

  explicit FrameOwner(std::size_t limit = kMax) : limit_(limit) {}

  /// Learns from the event. Returns it, or a copy with the inferred owner, which is valid until the
  /// next call.
  const PagingEvent& infer(const PagingEvent& event);

  struct Process {
    std::uint32_t tgid = 0;
    std::uint32_t pid = 0;
    std::string comm = {};
    friend bool operator==(const Process&, const Process&) = default;
  };
  /// Adds an owner, for example from a snapshot.
  void see(std::uint64_t pfn, const Process& process, std::uint64_t address);

  std::uint64_t kept() const { return kept_; }        ///< swap-outs with an inferred owner
  std::uint64_t dropped() const { return no_room_; }  ///< frames beyond the limits

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
  void erase(std::uint64_t pfn);
  void clear();
  void learn(const PagingEvent& event);
  void fill(PagingEvent& event);

  std::size_t limit_;
  PagingEvent owned_;  ///< the copy
  std::unordered_map<std::uint64_t, Place> places_;           // by frame
  std::unordered_map<Page, std::uint64_t, PageHash> frames_;  // the reverse
  std::vector<Process> processes_;
  std::unordered_map<std::uint32_t, std::uint32_t> latest_;  // by pid: index of the current process
  std::uint64_t kept_ = 0;
  std::uint64_t no_room_ = 0;
};

/// Passes all events on, with the owners that `owners` infers.
class OwnerFilter : public PagingSink {
 public:
  OwnerFilter(FrameOwner& owners, PagingSink& to) : owners_(owners), to_(to) {}

  void on_header(const TraceHeader& header) override { to_.on_header(header); }
  void on_event(const PagingEvent& event) override { to_.on_event(owners_.infer(event)); }
  void on_lost(const LostEvents& lost) override { to_.on_lost(lost); }

 private:
  FrameOwner& owners_;
  PagingSink& to_;
};

}  // namespace physmem
