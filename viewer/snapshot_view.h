// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "viewer/command.h"
#include "viewer/message.h"
#include "viewer/view.h"

namespace physmem::view {

struct SnapshotShared {
  std::string hello;
  std::string snapshot;
};

/// Sends everything once. The page already has the data for all later requests.
class SnapshotView : public View {
 public:
  explicit SnapshotView(const SnapshotShared& shared) : shared_(shared) {}

  void receive(std::string_view text) override {
    if (const auto command = parse_command(text); !command) error_ = command.error().text;
  }

  std::optional<Message> next(Time) override {
    if (sent_ == 0) return Message{false, (++sent_, shared_.hello)};
    if (sent_ == 1) return Message{true, (++sent_, shared_.snapshot)};
    if (const auto error = std::exchange(error_, {})) return error_message(*error);
    return {};
  }

 private:
  const SnapshotShared& shared_;
  int sent_ = 0;
  std::optional<std::string> error_;
};

}  // namespace physmem::view
