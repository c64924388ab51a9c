// SPDX-License-Identifier: MIT
#include "viewer/live_client.h"

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/beast/core/buffers_to_string.hpp>
#include <boost/beast/websocket/rfc6455.hpp>
#include <new>
#include <utility>

#include "viewer/command.h"

namespace physmem::view {
namespace {

namespace websocket = boost::beast::websocket;
using boost::beast::error_code;

/// A message longer than kMaxCommandBytes is answered with an error. A message longer than this
/// ends the connection.
constexpr std::size_t kMaxMessageBytes = 65536;
constexpr double kCommandsASecond = 200;

websocket::stream_base::timeout timeouts() {
  using namespace std::chrono_literals;
  // A silent page is pinged after half of the idle time, and its connection is closed after all of
  // it.
  return {10s, 60s, true};
}

}  // namespace

LiveClient::LiveClient(boost::beast::tcp_stream&& stream, std::unique_ptr<View> view, Clock& clock)
    : socket_(std::move(stream)),
      view_(std::move(view)),
      clock_(clock),
      commands_(kCommandsASecond) {}

void LiveClient::accept(const Request& request, std::size_t send_buffer) {
  error_code ignored;
  boost::beast::get_lowest_layer(socket_).socket().set_option(
      boost::asio::socket_base::send_buffer_size(static_cast<int>(send_buffer)), ignored);
  boost::beast::get_lowest_layer(socket_).socket().set_option(boost::asio::ip::tcp::no_delay(true),
                                                              ignored);
  boost::beast::get_lowest_layer(socket_).expires_never();  // the WebSocket has its own timeouts
  socket_.set_option(timeouts());
  socket_.read_message_max(kMaxMessageBytes);
  socket_.auto_fragment(false);
  socket_.async_accept(request, [self = shared_from_this()](error_code error) {
    if (error || self->is_closing_) return self->end();
    self->is_open_ = true;
    self->read();
    self->poll();
  });
}

void LiveClient::read() {
  socket_.async_read(
      input_, [self = shared_from_this()](error_code error, std::size_t) { self->on_read(error); });
}

void LiveClient::on_read(error_code error) {
  // After a failed write has ended the connection, a buffered message can still be read without
  // error.
  if (error || !is_open_) return end();
  try {
    if (socket_.got_text())
      view_->receive(boost::beast::buffers_to_string(input_.data()));
    else
      view_->receive(
          "");  // binary messages are invalid and get the same answer as an empty message
  } catch (const std::bad_alloc&) {
    return end();
  }
  input_.consume(input_.size());
  poll();
  if (may_read_on(clock_.now()))
    read();
  else
    waiting_ = shared_from_this();
}

bool LiveClient::may_read_on(Clock::TimePoint now) {
  if (commands_filled_ != Clock::TimePoint{})
    commands_ =
        std::min(kCommandsASecond,
                 commands_ + kCommandsASecond *
                                 std::chrono::duration<double>(now - commands_filled_).count());
  commands_filled_ = now;
  if (commands_ < 1) return false;
  commands_ -= 1;
  return true;
}

/// If memory runs out, the connection of this page is closed. The server and other pages continue.
void LiveClient::poll() {
  try {
    poll_once();
  } catch (const std::bad_alloc&) {
    end();
  }
}

void LiveClient::poll_once() {
  if (!is_open_) return;
  const auto now = clock_.now();
  if (waiting_ && may_read_on(now)) {
    read();
    waiting_.reset();
  }
  if (is_writing_ || is_closing_) return;
  auto message = view_->next(now);
  if (!message) return;
  output_ = std::move(message->bytes);
  is_writing_ = true;
  socket_.binary(message->is_binary);
  socket_.async_write(
      boost::asio::buffer(output_),
      [self = shared_from_this()](error_code error, std::size_t) { self->on_written(error); });
}

void LiveClient::on_written(error_code error) {
  is_writing_ = false;
  if (error) return end();
  if (is_closing_) return close();
  poll();
}

void LiveClient::close() {
  is_closing_ = true;
  const auto self = std::exchange(waiting_, nullptr);
  if (!is_open_ || is_writing_) return boost::beast::get_lowest_layer(socket_).close();
  socket_.async_close(websocket::close_code::going_away,
                      [self = shared_from_this()](error_code) { self->end(); });
}

void LiveClient::end() {
  const auto self = std::exchange(waiting_, nullptr);
  is_open_ = false;
  view_.reset();
  boost::beast::get_lowest_layer(socket_).close();
}

}  // namespace physmem::view
