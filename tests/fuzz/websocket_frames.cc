// SPDX-License-Identifier: MIT
// The viewer's WebSocket receives any bytes after the handshake. The view gets exactly the messages
// that the bytes contain by RFC 6455, up to the first violation. The client gets the view's answers
// in whole frames, and then the connection is closed.
#include <algorithm>
#include <boost/beast/websocket/rfc6455.hpp>
#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/fuzz/check.h"
#include "tests/fuzz/peer_socket.h"
#include "tests/unit/manual_clock.h"
#include "viewer/live_client.h"

namespace {

using namespace physmem;
namespace http = boost::beast::http;

struct Exchange {
  std::vector<std::string> received;
  std::vector<std::string> answered;
};

/// Answers each message with its length; every third answer is a binary message.
class RecordingView : public view::View {
 public:
  explicit RecordingView(Exchange& exchange) : exchange_(exchange) {}
  void receive(std::string_view text) override {
    exchange_.received.emplace_back(text);
    due_.push_back(std::to_string(text.size()));
  }
  std::optional<view::Message> next(Time) override {
    if (due_.empty()) return {};
    view::Message message{exchange_.answered.size() % 3 == 2, due_.front()};
    due_.pop_front();
    exchange_.answered.push_back(message.bytes);
    return message;
  }

 private:
  Exchange& exchange_;
  std::deque<std::string> due_;
};

struct Frame {
  unsigned opcode = 0;
  bool is_last = false;
  bool is_masked = false;
  std::string payload;
};

/// Takes the frame at the front without validating it; nothing if it is incomplete.
std::optional<Frame> take_frame(std::string_view& bytes) {
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(bytes[at]); };
  if (bytes.size() < 2) return {};
  Frame frame{byte(0) & 0xFu, (byte(0) & 0x80) != 0, (byte(1) & 0x80) != 0, {}};
  std::uint64_t length = byte(1) & 0x7F;
  const std::size_t extended = length == 127 ? 8 : length == 126 ? 2 : 0;
  const std::size_t head = 2 + extended + (frame.is_masked ? 4 : 0);
  if (bytes.size() < head) return {};
  if (extended != 0) length = 0;
  for (std::size_t i = 0; i < extended; ++i) length = length << 8 | byte(2 + i);
  if (bytes.size() - head < length) return {};
  frame.payload = bytes.substr(head, length);
  for (std::size_t i = 0; i < frame.payload.size() && frame.is_masked; ++i)
    frame.payload[i] = static_cast<char>(frame.payload[i] ^ bytes[head - 4 + i % 4]);
  bytes.remove_prefix(head + length);
  return frame;
}

/// The messages of a client. Binary messages are empty, as LiveClient passes them on.
std::vector<std::string> messages_in(std::string_view bytes) {
  std::vector<std::string> messages;
  std::string open;
  bool is_text = false;
  while (const auto frame = take_frame(bytes)) {
    if (frame->opcode > 2) continue;
    if (frame->opcode != 0) {
      open.clear();
      is_text = frame->opcode == 1;
    }
    open += frame->payload;
    if (frame->is_last) messages.push_back(is_text ? open : "");
  }
  return messages;
}

const view::LiveClient::Request& upgrade() {
  static const view::LiveClient::Request kUpgrade = [] {
    view::LiveClient::Request request(http::verb::get, "/live?token=secret", 11);
    request.set(http::field::host, "127.0.0.1");
    request.set(http::field::upgrade, "websocket");
    request.set(http::field::connection, "Upgrade");
    request.set(http::field::sec_websocket_key, "dGhlIHNhbXBsZSBub25jZQ==");
    request.set(http::field::sec_websocket_version, "13");
    return request;
  }();
  return kUpgrade;
}

/// Runs until no work is left. The server checks for messages 30 times per second.
std::string run(std::string_view input, Exchange& exchange) {
  ManualClock clock;
  PeerSocket peer;
  std::weak_ptr<view::LiveClient> client;
  {
    const auto made =
        std::make_shared<view::LiveClient>(boost::beast::tcp_stream(peer.take_server()),
                                           std::make_unique<RecordingView>(exchange), clock);
    client = made;
    made->accept(upgrade(), 1 << 16);
  }
  std::string output;
  const std::size_t rounds = 20 + input.size();
  for (std::size_t i = 0; i < rounds; ++i) {
    peer.send(input);
    fuzz_io().restart();
    const bool has_worked = fuzz_io().poll() != 0;
    peer.receive(output);
    if (const auto open = client.lock())
      open->poll();
    else if (!has_worked)
      return output;
    clock.advance(std::chrono::milliseconds(33));
  }
  PHYSMEM_CHECK(client.expired());
  return output;
}

void check_output(std::string_view output, const Exchange& exchange) {
  const std::size_t head = output.find("\r\n\r\n");
  PHYSMEM_CHECK(output.starts_with("HTTP/1.1 101 ") && head != std::string_view::npos);
  output.remove_prefix(head + 4);
  std::size_t data = 0;
  bool is_closed = false;
  while (const auto frame = take_frame(output)) {
    PHYSMEM_CHECK(frame->is_last && !frame->is_masked && !is_closed);
    is_closed = frame->opcode == 8;
    if (frame->opcode >= 8) {
      PHYSMEM_CHECK(frame->opcode <= 10 && frame->payload.size() <= 125);
      continue;
    }
    PHYSMEM_CHECK(data < exchange.answered.size() && frame->payload == exchange.answered[data]);
    PHYSMEM_CHECK(frame->opcode == (data % 3 == 2 ? 2u : 1u));
    ++data;
  }
  PHYSMEM_CHECK(output.empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  Exchange exchange;
  const std::string output = run(input, exchange);
  const std::vector<std::string> expected = messages_in(input);
  PHYSMEM_CHECK(exchange.received.size() <= expected.size());
  PHYSMEM_CHECK(std::equal(exchange.received.begin(), exchange.received.end(), expected.begin()));
  check_output(output, exchange);
  return 0;
}
