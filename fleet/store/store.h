// SPDX-License-Identifier: MIT
// What a store of reports must do. There is one for SQLite and one for ClickHouse.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "fleet/model/report.h"
#include "program/result.h"

namespace physmem::fleet {

/// Each is the text fleet/sql/DIALECT/NAME.sql, whose comment states its columns. Answers are
/// integers and texts, so that both stores give the same; means, slopes and shares are computed in
/// fleet/ask. Only facts whose snapshot is in `snapshots` count.
enum class Question : std::uint8_t {
  kMachines,   ///< machine, its latest host name, snapshots, first and last time
  kUnitNames,  ///< distinct units
  kUnits,      ///< by unit and machine
  kChanges,    ///< by unit, before and after a time
  kRam,        ///< by class or cache, and machine
  kHosts,      ///< the latest snapshot of each machine
  kTrend,      ///< by day
  kLeaks,      ///< sums for a regression, by machine, command and cgroup
  kGaps,       ///< by machine, boot and run of numbers
  kKept,       ///< snapshots that the archive has
  kLastKept,   ///< of each machine, the latest of these
  kAlerts,     ///< events of alerts, by machine and unit
  kLater,      ///< machines with snapshots at the first second of the selection, or later
  kLargest,    ///< by machine, how much its sizes are together
};
std::string_view name(Question question);

/// Which facts a question counts.
struct Selection {
  std::uint64_t since = 0;  ///< second, inclusive
  /// Second, exclusive.
  std::uint64_t before = std::numeric_limits<std::int64_t>::max();
  std::uint64_t base = 0;  ///< of kLeaks: the second from which its times count
  /// Only for kChanges: the end (in s, exclusive, at most `since`) of the time that `since` to
  /// `before` is compared with.
  std::uint64_t earlier_before = 0;
  std::optional<std::vector<std::string>> machines = {};  ///< nothing: all
  std::optional<std::vector<std::string>> units = {};     ///< likewise; in printable form
};

using Value = std::variant<std::monostate, std::string, std::uint64_t>;
using Row = std::vector<Value>;

/// Where a snapshot itself is.
struct KeptSnapshot {
  std::string key;      ///< of the snapshot
  std::string archive;  ///< in printable form
};

class Store {
 public:
  /// Called for each row of an answer. An error ends the question, and is its error.
  using TakeRow = std::function<Status(const Row&)>;
  /// Called with the number of machines that are done, and the number of all machines.
  using Progress = std::function<void(std::size_t done, std::size_t all)>;
  /// Called with a message for a waiting user, such as an unreachable server.
  using Notice = std::function<void(const std::string&)>;

  virtual ~Store() = default;

  /// Creates the tables that are missing.
  virtual Status create() = 0;
  /// Those of the keys whose snapshots are stored.
  virtual Result<std::set<std::string>> known(const std::vector<std::string>& keys) = 0;
  /// Adds all of the reports. A report replaces that with the same key, and that with the same
  /// machine, second and millisecond. After an error, none of them counts. A store that keeps
  /// reports adds them in flush(); after an error of it, each counts completely or not at all.
  virtual Status add(std::span<const Report> batch) = 0;
  /// Whether add() keeps reports in memory, because many together cost less.
  virtual bool keeps_reports() const { return false; }
  /// Whether those that are kept are enough for a flush().
  virtual bool is_full() const { return false; }
  /// Adds the reports that are kept. With `leaves_out_known`, those that known() has are left out:
  /// the number of these.
  virtual Result<std::uint64_t> flush(bool leaves_out_known) {
    static_cast<void>(leaves_out_known);
    return 0;
  }
  /// Those that are not stored are left out.
  virtual Status set_kept(std::span<const KeptSnapshot> kept) = 0;
  /// Snapshots before this second are in no archive any more.
  virtual Status forget_kept(std::uint64_t before) = 0;
  /// Rows are in the order that the question states. A sum that is kMaxNumber or larger is an error
  /// of the kind kTooLarge, also of rollup() and expire().
  virtual Status ask(Question question, const Selection& selection, const TakeRow& take) = 0;
  /// Sums up the days that end before this second and are not summed up. Questions about units read
  /// these sums instead of the facts. The number of days.
  virtual Result<std::uint64_t> rollup(std::uint64_t before) = 0;
  /// Removes snapshots before this midnight, with their facts, after their days were summed up. The
  /// number of snapshots.
  virtual Result<std::uint64_t> expire(std::uint64_t before) = 0;
  /// Removes the snapshots of the machines of the selection in its time, with their facts. Of days
  /// that have only sums it removes the sums of these machines on whole days. The trends of such
  /// days are of all machines, and stay. Whether all were removed: after a signal or an error, the
  /// same removal goes on.
  virtual Result<bool> remove(const Selection& selection) = 0;
  /// Reports how far remove() is, in a store that removes one machine after the other.
  void set_progress(Progress progress) { progress_ = std::move(progress); }
  /// The midnight before which there are only sums of days; 0: none was removed.
  virtual Result<std::uint64_t> expired_before() = 0;

 protected:
  void report_progress(std::size_t done, std::size_t all) const {
    if (progress_) progress_(done, all);
  }

 private:
  Progress progress_;
};

enum class StoreAccess {
  /// It must exist, and is not changed. In SQLite all questions see the store of one moment: that
  /// of the first, and writers wait until it is closed.
  kRead,
  kWrite,   ///< it must exist
  kCreate,  ///< it is created if it does not exist
};

}  // namespace physmem::fleet
