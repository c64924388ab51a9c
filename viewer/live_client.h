// SPDX-License-Identifier: MIT
// One WebSocket. At most one message is being sent; the next one is created after that.
#pragma once

#include <array>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/websocket/stream.hpp>
#include <chrono>
#include <cstddef>
#include <memory>
#include <string>

#include "program/clock.h"
#include "viewer/view.h"

namespace physmem::view {

class LiveClient : public std::enable_shared_from_this<LiveClient> {
 public:
  using Request = boost::beast::http::request<boost::beast::http::string_body>;

  LiveClient(boost::beast::tcp_stream&& stream, std::unique_ptr<View> view, Clock& clock);

  void accept(const Request& request, std::size_t send_buffer);
  /// Asks the view for a message, unless one is still being sent.
  void poll();
  void close();
  bool is_open() const { return is_open_; }

 private:
  void poll_once();
  void read();
  void on_read(boost::beast::error_code error);
  bool may_read_on(Clock::TimePoint now);
  void on_written(boost::beast::error_code error);
  void end();

  boost::beast::websocket::stream<boost::beast::tcp_stream> socket_;
  std::unique_ptr<View> view_;
  Clock& clock_;
  boost::beast::flat_buffer input_;
  std::string output_;
  bool is_open_ = false;
  bool is_writing_ = false;
  bool is_closing_ = false;
  /// A reference to itself while reading is delayed after too many commands. In that time there may
  /// be no other owner.
  std::shared_ptr<LiveClient> waiting_;
  double commands_ = 0;  ///< token bucket
  Clock::TimePoint commands_filled_{};
};

}  // namespace physmem::view
