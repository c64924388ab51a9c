// SPDX-License-Identifier: MIT
// Replays a trace file.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "analyzer/parse/byte_source.h"
#include "paging/parse/event_order.h"
#include "paging/parse/trace_reader.h"
#include "paging/source/event_source.h"
#include "program/clock.h"

namespace physmem {

class FileSource : public EventSource {
 public:
  struct Options {
    double speed = 0;         ///< factor on the original speed; 0: as fast as possible
    bool keep_going = false;  ///< as in TraceReader
  };

  /// `path` "-" is standard input.
  static Result<std::unique_ptr<FileSource>> open(const std::string& path, Options options);
  FileSource(std::unique_ptr<ByteSource> bytes, const std::string& name, Options options,
             Clock& clock = system_clock());
  ~FileSource() override;

  /// Passes on events by ascending sequence, each when it is due, at most a few thousand per call.
  Result<State> pump(PagingSink& sink, std::chrono::milliseconds timeout) override;

  /// Changes the speed from now on. Time stops while the replay is paused.
  void set_speed(double speed);
  void set_paused(bool is_paused);
  double speed() const { return options_.speed; }
  bool is_paused() const { return is_paused_; }

  const TraceNotes& notes() const { return reader_.notes(); }
  const EventOrder& order() const { return order_; }

 private:
  using Item = std::variant<TraceHeader, PagingEvent, LostEvents>;

  /// Items in order, until they are due.
  class Queue : public PagingSink {
   public:
    void on_header(const TraceHeader& header) override { items.emplace_back(header); }
    void on_event(const PagingEvent& event) override { items.emplace_back(event); }
    void on_lost(const LostEvents& lost) override { items.emplace_back(lost); }
    std::deque<Item> items;
  };

  void fill();
  bool is_due(const Item& item, Clock::TimePoint now);
  Clock::TimePoint due(std::uint64_t time_ns) const;
  void anchor(Clock::TimePoint now);
  void wait(std::chrono::milliseconds timeout) const;

  Options options_;
  Clock& clock_;
  std::unique_ptr<ByteSource> bytes_;
  TraceReader reader_;
  Queue queue_;
  EventOrder order_;
  std::optional<Error> error_;  // reported when the queue is empty
  bool has_ended_ = false;
  bool is_paused_ = false;
  // At anchor_ the trace's time was anchor_ns_; it is unknown until the first event.
  std::optional<std::uint64_t> anchor_ns_;
  Clock::TimePoint anchor_;
};

}  // namespace physmem
