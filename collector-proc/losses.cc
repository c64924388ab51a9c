// SPDX-License-Identifier: MIT
#include "collector-proc/losses.h"

#include <algorithm>
#include <utility>

namespace physmem::collect {

namespace {

std::string printable(std::string name) {
  const auto is_other = [](char c) { return c < ' ' || c > '~'; };
  std::replace_if(name.begin(), name.end(), is_other, '?');
  return name;
}

}  // namespace

void Losses::add_hidden(HiddenProcess process) {
  Losses one;
  one.areas_hidden = 1;
  one.hidden.push_back(std::move(process));
  add(one);
}

void Losses::add(const Losses& other) {
  frames_hidden = frames_hidden || other.frames_hidden;
  frames_missing = frames_missing || other.frames_missing;
  ram_hidden = ram_hidden || other.ram_hidden;
  areas_hidden += other.areas_hidden;
  is_init_hidden = is_init_hidden || other.is_init_hidden;
  for (const HiddenProcess& one : other.hidden) {
    const auto after = std::find_if(hidden.begin(), hidden.end(),
                                    [&one](const HiddenProcess& of) { return of.pid > one.pid; });
    hidden.insert(after, one);
    if (hidden.size() > kMaxNamed) hidden.pop_back();
  }
  ksm_unknown = std::max(ksm_unknown, other.ksm_unknown);
  task_exited += other.task_exited;
  areas_unsupported += other.areas_unsupported;
  space_changed += other.space_changed;
  corrupt += other.corrupt;
  symbols_hidden = symbols_hidden || other.symbols_hidden;
  in_transit += other.in_transit;
  markers.guard += other.markers.guard;
  markers.write_protect += other.markers.write_protect;
  frame_unreadable += other.frame_unreadable;
  frame_missing += other.frame_missing;
  sharing_unknown += other.sharing_unknown;
}

Losses& Losses::operator+=(const Losses& other) {
  const Losses& most = other.areas_hidden > areas_hidden ? other : *this;
  const std::uint64_t max_hidden = most.areas_hidden;
  std::vector<HiddenProcess> names = most.hidden;
  add(other);
  areas_hidden = max_hidden;
  hidden = std::move(names);
  return *this;
}

std::vector<std::string> hidden_lines(const Losses& losses) {
  std::vector<std::string> lines;
  for (const HiddenProcess& process : losses.hidden) {
    const bool is_init = losses.is_init_hidden && process.pid == 1;
    lines.push_back("process " + std::to_string(process.pid) + " (" + printable(process.name) +
                    "): " +
                    (is_init ? "nobody in this container may read its areas"
                             : "no permission to read its areas"));
  }
  if (losses.areas_hidden > losses.hidden.size() && !lines.empty())
    lines.push_back("and " + std::to_string(losses.areas_hidden - losses.hidden.size()) + " more");
  return lines;
}

std::vector<Counter> notes_of(const Losses& losses) {
  std::vector<Counter> notes;
  add_counters("",
               {{"note.task_exited", losses.task_exited},
                {"note.areas_hidden", losses.areas_hidden},
                {"note.init_hidden", losses.is_init_hidden ? 1U : 0U},
                {"note.areas_unsupported", losses.areas_unsupported},
                {"note.frames_missing", losses.frames_missing ? 1U : 0U},
                {"note.in_transit", losses.in_transit},
                {"markers.guard", losses.markers.guard},
                {"markers.write_protect", losses.markers.write_protect},
                {"note.frame_unreadable", losses.frame_unreadable + losses.frame_missing},
                {"note.sharing_unknown", losses.sharing_unknown},
                {"note.ksm_unknown", losses.ksm_unknown},
                {"note.symbols_hidden", losses.symbols_hidden ? 1U : 0U}},
               notes);
  std::erase_if(notes, [](const Counter& note) { return note.value == 0; });
  return notes;
}

}  // namespace physmem::collect
