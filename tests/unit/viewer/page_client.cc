// SPDX-License-Identifier: MIT
#include "tests/unit/viewer/page_client.h"

#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>

namespace physmem::view {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::ip::tcp;

tcp::endpoint endpoint(std::uint16_t port) {
  return {asio::ip::make_address("127.0.0.1"), port};
}

std::string own_host(std::uint16_t port) {
  return "127.0.0.1:" + std::to_string(port);
}

}  // namespace

Answer ask(std::uint16_t port, const Asked& asked) {
  asio::io_context io;
  beast::tcp_stream stream(io);
  stream.connect(endpoint(port));
  http::request<http::string_body> request(http::string_to_verb(asked.method), asked.target, 11);
  request.set(http::field::host, asked.host.empty() ? own_host(port) : asked.host);
  if (!asked.origin.empty()) request.set(http::field::origin, asked.origin);
  http::write(stream, request);
  http::response_parser<http::string_body> parser;
  if (asked.method == "HEAD") parser.skip(true);
  beast::flat_buffer buffer;
  beast::error_code error;
  http::read(stream, buffer, parser, error);
  if (error) return {};
  const auto& response = parser.get();
  return {static_cast<int>(response.result_int()), response.body(),
          std::string(response["Content-Security-Policy"])};
}

std::string ask_raw(std::uint16_t port, const std::string& bytes) {
  asio::io_context io;
  tcp::socket socket(io);
  socket.connect(endpoint(port));
  beast::error_code error;
  asio::write(socket, asio::buffer(bytes), error);
  std::string all;
  asio::read(socket, asio::dynamic_buffer(all), error);
  return all;
}

PageClient::PageClient(std::uint16_t port, const std::string& target, const std::string& origin,
                       int receive_buffer)
    : socket_(io_) {
  if (receive_buffer != 0) {
    tcp::socket& socket = beast::get_lowest_layer(socket_).socket();
    socket.open(tcp::v4());
    socket.set_option(asio::socket_base::receive_buffer_size(receive_buffer));
  }
  beast::get_lowest_layer(socket_).connect(endpoint(port));
  socket_.set_option(
      beast::websocket::stream_base::decorator([&](beast::websocket::request_type& request) {
        if (!origin.empty()) request.set(http::field::origin, origin);
      }));
  socket_.read_message_max(64 << 20);
  beast::websocket::response_type response;
  beast::error_code error;
  socket_.handshake(response, own_host(port), target, error);
  status_ = error ? 0 : static_cast<int>(response.result_int());
  if (error) error_ = error.message();
}

void PageClient::send_text(const std::string& text) {
  socket_.text(true);
  beast::error_code error;
  socket_.write(asio::buffer(text), error);
  if (error) was_closed_ = true;
}

void PageClient::send_binary(const std::string& bytes) {
  socket_.binary(true);
  beast::error_code error;
  socket_.write(asio::buffer(bytes), error);
}

std::optional<PageClient::Received> PageClient::next() {
  if (was_closed_) return {};
  if (!is_reading_) {
    is_reading_ = true;
    has_read_ = false;
    socket_.async_read(buffer_, [this](beast::error_code error, std::size_t) {
      has_read_ = true;
      was_closed_ = was_closed_ || error.failed();
    });
  }
  io_.restart();
  const auto end = std::chrono::steady_clock::now() + kTimeout;
  while (!has_read_ && std::chrono::steady_clock::now() < end) io_.run_one_until(end);
  if (!has_read_) return {};
  is_reading_ = false;
  if (was_closed_) return {};
  Received received{socket_.got_binary(), beast::buffers_to_string(buffer_.data()), {}};
  buffer_.consume(buffer_.size());
  if (!received.is_binary) received.json = Json::parse(received.bytes);
  return received;
}

PageClient::Json PageClient::wait_for(const std::string& key,
                                      const std::function<bool(const Json&)>& is_it) {
  const auto end = std::chrono::steady_clock::now() + kTimeout;
  while (std::chrono::steady_clock::now() < end) {
    const auto received = next();
    if (!received) return nullptr;
    if (received->is_binary || !received->json.contains(key)) continue;
    if (!is_it || is_it(received->json.at(key))) return received->json.at(key);
  }
  return nullptr;
}

std::string PageClient::wait_for_binary(char kind,
                                        const std::function<bool(const std::string&)>& is_it) {
  const auto end = std::chrono::steady_clock::now() + kTimeout;
  while (std::chrono::steady_clock::now() < end) {
    const auto received = next();
    if (!received) return {};
    if (!received->is_binary || received->bytes.empty() || received->bytes[0] != kind) continue;
    if (!is_it || is_it(received->bytes)) return received->bytes;
  }
  return {};
}

void PageClient::abort_connection() {
  beast::get_lowest_layer(socket_).close();
}

}  // namespace physmem::view
