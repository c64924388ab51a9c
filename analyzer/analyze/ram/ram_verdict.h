// SPDX-License-Identifier: MIT
// The result of a comparison with what the kernel itself counts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace physmem {

/// A total of the kernel (ram.before.NAME, ram.after.NAME), in pages, before and after the frames
/// were read. They differ if the system changed in between.
struct RamTotal {
  /// Readings in between (ram.mean.NAME, ram.low.NAME, ram.high.NAME).
  struct Samples {
    std::uint64_t mean = 0;
    std::uint64_t low = 0;
    std::uint64_t high = 0;
  };

  std::uint64_t before = 0;
  std::uint64_t after = 0;
  std::optional<Samples> samples = std::nullopt;

  std::uint64_t low() const;
  std::uint64_t high() const;
  bool has_moved() const { return low() != high(); }
  std::uint64_t mean() const { return samples ? samples->mean : low() + (high() - low()) / 2; }
  RamTotal& operator+=(const RamTotal& other);
};

/// Counters of a crafted file may be any number. A larger one is taken as this: so many pages of
/// 64 KiB are 2^62 bytes, and sums do not overflow.
constexpr std::uint64_t kMaxCounter = std::uint64_t{1} << 46;

enum class VerdictKind {
  kAgrees,
  kMoved,       ///< the kernel's number changed during collection, and ours fits the change
  kDiffers,     ///< ours is wrong, or the kernel's is
  kUnknowable,  ///< cannot be compared
};

/// Why nothing of the ledger can be compared.
inline constexpr std::string_view kNoRuns = "the R: lines are missing";

/// Whether our number is the kernel's. motion: pages that may have changed their class, or their
/// frame, between the two readings. Frames are read one after another, so each of them may be
/// missing or counted twice although the kernel's number is the same before and after.
VerdictKind judged(std::uint64_t ours, const RamTotal& theirs, std::uint64_t tolerance,
                   std::uint64_t motion = 0);

/// One of many equal comparisons: a process, a cgroup, an order of free blocks.
struct WitnessMember {
  std::string name;
  VerdictKind kind = VerdictKind::kUnknowable;
  std::uint64_t ours_kib = 0;
  RamTotal theirs_kib;
  bool is_part = false;  ///< another member counts the same memory
};

/// One comparison, in pages.
struct RamVerdict {
  using Kind = VerdictKind;

  std::string_view claim;    ///< what the snapshot counts: "free"
  std::string_view witness;  ///< the kernel's number: "MemFree"
  Kind kind = Kind::kUnknowable;
  std::uint64_t ours = 0;
  RamTotal theirs = {};
  std::uint64_t tolerance = 0;              ///< pages that both may differ by; of members: of each
  std::string_view rule = {};               ///< why there is a tolerance
  std::string_view reason = {};             ///< why it, or a member of it, cannot be compared
  std::uint64_t motion = 0;                 ///< see judged(); if it moved
  std::uint64_t frames_off = 0;             ///< where each frame is compared: those that differ
  std::vector<WitnessMember> members = {};  ///< if the comparison has parts
  std::string note = {};                    ///< of a member, for the Detail

  /// Pages above the witness, or below it.
  std::int64_t difference() const;
  std::size_t members_of(Kind wanted) const;
};

std::size_t count(const std::vector<RamVerdict>& verdicts, RamVerdict::Kind kind);

/// Sums up the members into the verdict: one that differs is enough. Parts of others, and members
/// that cannot be compared, are left out of the sums.
void add_members(RamVerdict& verdict, std::uint64_t kib_per_page,
                 std::vector<WitnessMember> members);

}  // namespace physmem
