// SPDX-License-Identifier: MIT
#include "formats/compact/state.h"

#include "formats/emit/flags.h"

namespace physmem::compact {
namespace {

using Line = std::span<const Field>;

std::uint64_t value(Line line, std::size_t i) {
  return i < line.size() ? line[i].value() : 0;
}

/// Predicts a field of a VMA: start, last, size, resident, protection, flags, unit, offset, … A VMA
/// often begins where the previous one ends. VMAs of the same file often also have consecutive
/// offsets.
std::uint64_t area_number(Line last, Line before) {
  switch (before.size()) {
    case 0:
      return value(last, 1) + 1;
    case 1:
      return value(before, 0) + (value(last, 1) - value(last, 0));
    case 2:
      return value(before, 1) - value(before, 0) + 1;
    case 7:
      return last[6] == before[6] && value(last, 7) != 0 ? value(last, 7) + value(last, 2) : 0;
    default:
      return value(last, before.size());
  }
}

/// Predicts a field of counts: user, executable, read-only, single-use, shared, swapped. Most
/// follow from the VMA.
std::uint64_t counts_number(Line area, Line before, unsigned page_shift) {
  const std::uint64_t flags = value(area, 5);
  const bool is_writable = (flags & PM_VMA_WRITE) != 0;
  switch (before.size()) {
    case 0:
      return value(area, 3) >> page_shift;
    case 1:
      return (flags & PM_VMA_EXEC) != 0 ? value(before, 0) : 0;
    case 2:
      return is_writable ? 0 : value(before, 0);
    case 3:
      return is_writable ? value(before, 0) : 0;
    case 4:
      return value(before, 0) - value(before, 3);
    default:
      return 0;
  }
}

}  // namespace

State::State() : names_(1), uses_(1) {}

Field State::predicted(char letter, std::span<const Field> before) const {
  const Line line = last(letter);
  Field field = line[before.size()];
  if (!field.is_number()) return field;
  if (letter == 'V') field.number = area_number(line, before);
  if (letter == 'P') field.number = counts_number(last('V'), before, page_shift_);
  return field;
}

unsigned State::unit_shift(char letter, const Field& field) const {
  return letter == 'V' && field.kind == Field::Kind::kHex ? page_shift_ : 0;
}

void State::set_last(char letter, std::span<const Field> fields) {
  if (letter == 'V')
    for (Next& next : next_) next.va = value(fields, 0);
  lines_[place_of(letter)].assign(fields.begin(), fields.end());
}

void State::pass(List list, const PastRun& run) {
  Next& next = next_[static_cast<std::size_t>(list)];
  const std::uint64_t place = run.is_down ? run.place - run.pages : run.place + run.pages;
  next = {next.va + ((run.gap + run.pages) << page_shift_), place, run.use};
  history_.add(run);
}

void State::add_name(std::string_view name) {
  names_.emplace_back(name);
  name_bytes_ += name.size();
}

void State::reset() {
  names_.assign(1, {});
  name_bytes_ = 0;
  uses_.assign(1, {});
  for (auto& line : lines_) line.clear();
  for (Next& next : next_) next.use = 0;
  history_.reset();
}

}  // namespace physmem::compact
