// SPDX-License-Identifier: MIT
#include "paging/fold/inspection.h"

#include <fmt/format.h>

namespace physmem {
namespace {

/// The page, frame and slot that belong together, as far as they are known.
struct Subject {
  std::uint32_t tgid = 0;
  std::uint64_t address = PM_PAGING_UNKNOWN;
  std::uint64_t pfn = PM_PAGING_UNKNOWN;
  std::uint64_t slot = PM_PAGING_UNKNOWN;
  std::uint8_t swap_type = PM_PAGING_NO_TYPE;

  bool has_page() const { return tgid != 0 && address != PM_PAGING_UNKNOWN; }
  bool has_slot() const { return slot != PM_PAGING_UNKNOWN && swap_type != PM_PAGING_NO_TYPE; }
};

std::string slot_name(std::uint8_t swap_type, std::uint64_t slot) {
  return fmt::format("slot {}:{:X}", swap_type, slot);
}

/// Whether the cell describes the subject's page or, if the page is unknown, the same move.
bool is_of(const PageCell& cell, const Subject& subject, std::uint64_t counterpart) {
  if (cell.has_page() && subject.has_page())
    return cell.tgid == subject.tgid && cell.address == subject.address;
  return cell.counterpart == counterpart;
}

class Inspector {
 public:
  Inspector(const PagingState& state, const Subject& subject, const TimeWords& time)
      : state_(state),
        time_(time),
        subject_(subject),
        place_(subject.has_page() ? state.place(subject.tgid, subject.address) : PagePlace{}) {}

  Inspection operator()(std::uint64_t event) {
    Inspection result;
    result.event = event;
    result.words = {page(result.page), frame(result.frame), slot(result.slot)};
    return result;
  }

 private:
  std::string page(PageStatus& status) const;
  std::string frame(FrameStatus& status) const;
  std::string slot(SlotStatus& status) const;
  std::string written(SlotStatus& status, const PageCell& cell) const;
  std::string at(std::uint32_t time_ms) const { return "at " + time_(time_ms); }

  const PagingState& state_;
  const TimeWords& time_;
  Subject subject_;
  PagePlace place_;
};

std::string Inspector::page(PageStatus& status) const {
  if (!subject_.has_page()) return "its virtual page is not known";
  const std::string name = fmt::format("page {:X} of process {}", subject_.address, subject_.tgid);
  if (place_.kind == PagePlace::Kind::kFrame) {
    status = PageStatus::kResident;
    const PageCell* cell = state_.pages().frame(place_.number);
    if (cell == nullptr || cell->kind != PM_PAGING_IN)
      return fmt::format("resident: {} was found in frame {:X} and not seen to leave since", name,
                         place_.number);
    return fmt::format("resident: {} was read in {} into frame {:X}, and not seen to leave since",
                       name, at(cell->time_ms), place_.number);
  }
  if (place_.kind == PagePlace::Kind::kSlot) {
    status = PageStatus::kSwapped;
    const PageCell* cell = state_.pages().slot(place_.swap_type, place_.number);
    const bool is_inferred = cell != nullptr && cell->is_inferred;
    return fmt::format("swapped: {} was written to {} and not read since",
                       is_inferred ? "probably " + name + ", which its frame had last," : name,
                       slot_name(place_.swap_type, place_.number));
  }
  return fmt::format("the present place of {} is not known", name);
}

std::string Inspector::frame(FrameStatus& status) const {
  if (subject_.pfn == PM_PAGING_UNKNOWN) return "its frame is not known";
  const std::string name = fmt::format("frame {:X}", subject_.pfn);
  const PageCell* cell = state_.pages().frame(subject_.pfn);
  if (cell == nullptr || cell->kind == 0)
    return fmt::format("{}: no move to or from it was seen", name);
  if (!is_of(*cell, subject_, subject_.slot)) {
    status = FrameStatus::kReused;
    return fmt::format("{} has been used for another page since, {}", name, at(cell->time_ms));
  }
  if (cell->kind == PM_PAGING_IN) {
    status = FrameStatus::kHolds;
    return fmt::format("{}: it was read in {}, and not seen to leave since", name,
                       at(cell->time_ms));
  }
  status = FrameStatus::kLeft;
  return fmt::format("the page left {} {}; what the frame is used for since was not seen", name,
                     at(cell->time_ms));
}

std::string Inspector::slot(SlotStatus& status) const {
  if (!subject_.has_slot()) return "its slot is not known";
  const std::string name = slot_name(subject_.swap_type, subject_.slot);
  const PageCell* cell = state_.pages().slot(subject_.swap_type, subject_.slot);
  if (cell == nullptr || cell->kind == 0)
    return fmt::format("{}: no move to or from it was seen", name);
  if (!is_of(*cell, subject_, subject_.pfn)) {
    status = SlotStatus::kReused;
    return fmt::format("{} has been used for another page since, {}", name, at(cell->time_ms));
  }
  return written(status, *cell);
}

std::string Inspector::written(SlotStatus& status, const PageCell& cell) const {
  const std::string name = slot_name(subject_.swap_type, subject_.slot);
  const bool is_elsewhere =
      place_.kind == PagePlace::Kind::kSlot &&
      (place_.number != subject_.slot || place_.swap_type != subject_.swap_type);
  if (is_elsewhere)
    return fmt::format("{} is out of date: the page was written to {} since", name,
                       slot_name(place_.swap_type, place_.number));
  if (cell.kind == PM_PAGING_OUT && place_.kind != PagePlace::Kind::kFrame) {
    status = SlotStatus::kOnlyCopy;
    return fmt::format("{} got the only copy {}; it was not seen read since", name,
                       at(cell.time_ms));
  }
  status = SlotStatus::kCopy;
  return fmt::format(
      "{} has a copy, unless the kernel has freed the slot or the page was changed since {}", name,
      at(cell.time_ms));
}

Inspection nothing(const std::string& what) {
  Inspection result;
  result.words = {what + ": no event has touched it, so nothing is known of a virtual page",
                  "nothing is known of its frame", "nothing is known of its slot"};
  return result;
}

}  // namespace

std::string since_begin(std::uint32_t time_ms) {
  return fmt::format("{}.{:03} s", time_ms / 1000, time_ms % 1000);
}

Inspection inspect_frame(const PagingState& state, std::uint64_t pfn, const TimeWords& time) {
  const PageCell* cell = state.pages().frame(pfn);
  if (cell == nullptr) return nothing(fmt::format("frame {:X}", pfn));
  return Inspector(state, {cell->tgid, cell->address, pfn, cell->counterpart, cell->swap_type},
                   time)(cell->event);
}

Inspection inspect_slot(const PagingState& state, std::uint8_t swap_type, std::uint64_t slot,
                        const TimeWords& time) {
  const PageCell* cell = state.pages().slot(swap_type, slot);
  if (cell == nullptr) return nothing(slot_name(swap_type, slot));
  return Inspector(state, {cell->tgid, cell->address, cell->counterpart, slot, swap_type},
                   time)(cell->event);
}

Inspection inspect_address(const PagingState& state, std::uint32_t tgid, std::uint64_t address,
                           const TimeWords& time) {
  const PagePlace place = state.place(tgid, address);
  Subject subject{tgid, state.page_begin(address), PM_PAGING_UNKNOWN, PM_PAGING_UNKNOWN,
                  PM_PAGING_NO_TYPE};
  const PageCell* cell = nullptr;
  if (place.kind == PagePlace::Kind::kFrame) {
    cell = state.pages().frame(place.number);
    subject.pfn = place.number;
    if (cell != nullptr) subject.slot = cell->counterpart;
    if (cell != nullptr) subject.swap_type = cell->swap_type;
  } else if (place.kind == PagePlace::Kind::kSlot) {
    cell = state.pages().slot(place.swap_type, place.number);
    subject.slot = place.number;
    subject.swap_type = place.swap_type;
    if (cell != nullptr) subject.pfn = cell->counterpart;
  }
  if (cell == nullptr) return nothing(fmt::format("page {:X} of process {}", address, tgid));
  return Inspector(state, subject, time)(cell->event);
}

const char* name(PageStatus status) {
  return status == PageStatus::kResident  ? "resident"
         : status == PageStatus::kSwapped ? "swapped"
                                          : "unknown";
}

const char* name(FrameStatus status) {
  constexpr std::array kNames{"unknown", "holds", "left", "reused"};
  return kNames[static_cast<std::size_t>(status)];
}

const char* name(SlotStatus status) {
  constexpr std::array kNames{"unknown", "copy", "only copy", "reused"};
  return kNames[static_cast<std::size_t>(status)];
}

}  // namespace physmem
