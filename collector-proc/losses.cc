// SPDX-License-Identifier: MIT
#include "collector-proc/losses.h"

#include <algorithm>

namespace physmem::collect {

void Losses::add(const Losses& other) {
  frames_hidden = frames_hidden || other.frames_hidden;
  areas_hidden += other.areas_hidden;
  ksm_unknown = std::max(ksm_unknown, other.ksm_unknown);
  task_exited += other.task_exited;
  in_transit += other.in_transit;
  frame_unreadable += other.frame_unreadable;
  frame_missing += other.frame_missing;
  sharing_unknown += other.sharing_unknown;
}

Losses& Losses::operator+=(const Losses& other) {
  const std::uint64_t most_hidden = std::max(areas_hidden, other.areas_hidden);
  add(other);
  areas_hidden = most_hidden;
  return *this;
}

std::vector<Counter> notes_of(const Losses& losses) {
  std::vector<Counter> notes{
      {"note.task_exited", losses.task_exited},
      {"note.areas_hidden", losses.areas_hidden},
      {"note.in_transit", losses.in_transit},
      {"note.frame_unreadable", losses.frame_unreadable + losses.frame_missing},
      {"note.sharing_unknown", losses.sharing_unknown},
      {"note.ksm_unknown", losses.ksm_unknown},
  };
  std::erase_if(notes, [](const Counter& note) { return note.value == 0; });
  return notes;
}

}  // namespace physmem::collect
