// SPDX-License-Identifier: MIT
// The screen of a run: draws what the view shows, and passes keys to it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

#include "program/clock.h"
#include "program/unique_fd.h"
#include "top/model/history.h"
#include "top/options.h"
#include "top/sample/source.h"
#include "top/screen/terminal.h"
#include "top/screen/view.h"

namespace physmem::top {

/// Names of users, or their numbers.
class UserNames {
 public:
  /// `is_known`: false for another machine, of which only numbers are known.
  explicit UserNames(bool is_known = true) : is_known_(is_known) {}
  std::string operator()(std::uint64_t uid) const;

 private:
  bool is_known_;
};

/// The view that the options describe.
View view_of(const Options& options);

class Session {
 public:
  /// History and source must outlive it. `first`: the sample of a recording that is shown first.
  static Result<std::unique_ptr<Session>> open(const Options& options, const History& history,
                                               RoundSource& source, UserNames names,
                                               std::size_t first = 0);

  void draw();
  /// Handles keys until the deadline. Returns early if the user quits or changes the interval, and
  /// after a signal.
  void wait_until(std::uint64_t deadline_ns);
  bool is_over() const { return view_.is_over; }
  std::uint64_t interval_ns() const { return view_.interval_ns; }

 private:
  Session(const Options& options, const History& history, RoundSource& source, UserNames names,
          std::size_t first);

  Shown shown();
  void handle_keys(bool& is_interval_changed);
  bool awaits_details() const;

  const History& history_;
  RoundSource& source_;
  bool is_replay_;
  std::string file_;
  View view_;
  UserNames user_names_;
  UniqueFd window_changes_;  ///< signalfd
  std::unique_ptr<Terminal> terminal_;
};

}  // namespace physmem::top
