// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "viewer/command.h"
#include "viewer/message.h"
#include "viewer/moments.h"
#include "viewer/view.h"

namespace physmem::view {

/// Sends the first snapshot once, and others of the series when they are requested. The page has
/// the data for everything else.
class SnapshotView : public View {
 public:
  explicit SnapshotView(const Moments& moments) : moments_(moments) {}

  void receive(std::string_view text) override {
    const auto command = parse_command(text);
    if (!command) {
      error_ = command.error().text;
    } else if (const auto* want = std::get_if<WantMoment>(&*command)) {
      if (want->number < moments_.snapshots.size())
        wanted_ = want->number;
      else
        error_ = "\"number\": expected a number below " + std::to_string(moments_.snapshots.size());
    }
  }

  std::optional<Message> next(Time) override {
    if (sent_ == 0) return Message{false, (++sent_, moments_.hello)};
    if (sent_ == 1) return Message{true, (++sent_, moments_.snapshots.front())};
    if (const auto error = std::exchange(error_, {})) return error_message(*error);
    if (const auto wanted = std::exchange(wanted_, {}))
      return Message{true, moments_.snapshots[*wanted]};
    return {};
  }

 private:
  const Moments& moments_;
  int sent_ = 0;
  std::optional<std::size_t> wanted_;  ///< the last request
  std::optional<std::string> error_;
};

}  // namespace physmem::view
