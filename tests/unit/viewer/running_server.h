// SPDX-License-Identifier: MIT
// A server in its own thread, which the test feeds with events.
#pragma once

#include <gtest/gtest.h>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <condition_variable>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "tests/unit/viewer/synthetic_source.h"
#include "viewer/live_view.h"
#include "viewer/server.h"
#include "viewer/source_pump.h"

namespace physmem::view {

/// Counts of server actions. A test waits for these counts and not for a time.
class PageEvents {
 public:
  struct Counts {
    std::size_t open = 0;      ///< open pages
    std::size_t commands = 0;  ///< commands that were read
    std::size_t looks = 0;     ///< calls for the next message of a page, one or more per round
  };

  template <class Change>
  void note(Change change) {
    const std::lock_guard lock(mutex_);
    change(counts_);
    changed_.notify_all();
  }
  Counts counts() const {
    const std::lock_guard lock(mutex_);
    return counts_;
  }
  /// Waits until `condition` holds. Returns false after 60 s.
  template <class Condition>
  bool wait_for(Condition condition) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::seconds(60), [&] { return condition(counts_); });
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  Counts counts_;
};

/// A live view that counts its actions.
class WatchedView : public View {
 public:
  WatchedView(LiveShared& shared, PageEvents& events)
      : view_(std::in_place, shared), events_(events) {
    events_.note([](auto& counts) { ++counts.open; });
  }
  WatchedView(const WatchedView&) = delete;
  WatchedView& operator=(const WatchedView&) = delete;
  ~WatchedView() override {
    view_.reset();
    events_.note([](auto& counts) { --counts.open; });
  }
  void receive(std::string_view text) override {
    view_->receive(text);
    events_.note([](auto& counts) { ++counts.commands; });
  }
  std::optional<Message> next(Time now) override {
    events_.note([](auto& counts) { ++counts.looks; });
    return view_->next(now);
  }

 private:
  std::optional<LiveView> view_;
  PageEvents& events_;
};

class RunningServer {
 public:
  explicit RunningServer(ServerOptions options = {}, Clock& clock = system_clock(),
                         SyntheticSource::Plan fed = {.is_paced = false})
      : source_(fed),
        server_(
            io_, with_token(std::move(options)), "<!DOCTYPE html><title>the page</title>",
            [this] { return std::make_unique<WatchedView>(shared_, events_); }, clock) {
    const Status status = server_.listen();
    error_ = status ? "" : status.error().text;
    port_ = status ? server_.port() : std::uint16_t{0};
    thread_ = std::thread([this] { io_.run(); });
  }

  ~RunningServer() {
    boost::asio::post(io_, [this] {
      if (pump_) pump_->stop();
      server_.close();
    });
    work_.reset();
    io_.stop();
    thread_.join();
  }
  RunningServer(const RunningServer&) = delete;
  RunningServer& operator=(const RunningServer&) = delete;

  /// Runs `what` in the server's thread and waits for its end.
  template <class Do>
  void in_thread(Do what) {
    std::promise<void> done;
    boost::asio::post(io_, [&] {
      what();
      done.set_value();
    });
    done.get_future().wait();
  }

  void feed(std::uint64_t n) {
    in_thread([&] {
      if (fed_ == 0) feed_.on_header(source_.header());
      for (const std::uint64_t end = fed_ + n; fed_ < end; ++fed_)
        feed_.on_event(source_.event(fed_));
    });
  }
  /// Starts to pump `source` by the clock.
  void pump(EventSource& source) {
    in_thread([&] {
      pump_ = std::make_unique<SourcePump>(
          io_, source, feed_, [] { return 1.0; },
          [this](const Error& error) { source_error_ = error.text; });
      pump_->start();
    });
  }

  std::uint16_t port() const { return port_; }
  const std::string& error() const { return error_; }
  std::string target(const std::string& path = "/") const { return path + "?token=secret"; }
  std::string url() const { return server_.url(); }
  PagingSums sums() {
    PagingSums sums;
    in_thread([&] { sums = feed_.timeline().present().sums(); });
    return sums;
  }
  std::size_t clients() {
    std::size_t n = 0;
    in_thread([&] { n = shared_.clients; });
    return n;
  }
  PageEvents& events() { return events_; }
  /// Waits for `n` further calls for messages. Do not use it with a page that reads nothing.
  void wait_for_looks(std::size_t n) {
    const std::size_t before = events_.counts().looks;
    EXPECT_TRUE(events_.wait_for([&](const auto& counts) { return counts.looks >= before + n; }));
  }
  std::string source_error() {
    std::string text;
    in_thread([&] { text = source_error_; });
    return text;
  }

 private:
  static ServerOptions with_token(ServerOptions options) {
    options.token = "secret";
    options.round = std::chrono::milliseconds(1);
    return options;
  }

  PageEvents events_;
  TraceFeed feed_;
  LiveShared shared_{feed_};
  boost::asio::io_context io_;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_{
      io_.get_executor()};
  SyntheticSource source_;
  Server server_;
  std::unique_ptr<SourcePump> pump_;
  std::uint64_t fed_ = 0;
  std::uint16_t port_ = 0;
  std::string error_;
  std::string source_error_;
  std::thread thread_;
};

}  // namespace physmem::view
