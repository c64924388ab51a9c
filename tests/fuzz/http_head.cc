// SPDX-License-Identifier: MIT
// Any bytes as a request to the viewer's HTTP session give at most one HTTP response. Access to the
// page and the WebSocket requires the token, a Host header of this server, and no other origin.
#include <algorithm>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <cctype>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tests/fuzz/check.h"
#include "tests/fuzz/peer_socket.h"
#include "viewer/http_session.h"

namespace {

using namespace physmem;
namespace http = boost::beast::http;
using view::HttpSession;

constexpr std::string_view kPage = "<!DOCTYPE html><title>only with the token</title>";

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  return result;
}

/// The values of all lines of the first head that begin with this name, even if the head is
/// invalid.
std::vector<std::string> values_of(std::string request, std::string_view name) {
  std::vector<std::string> values;
  const std::size_t begin = std::min(request.find_first_not_of("\r\n"), request.size());
  request.erase(std::min(request.find("\r\n\r\n", begin), request.size()));
  for (std::size_t at = 0; at < request.size();) {
    const std::size_t end = std::min(request.find('\n', at), request.size());
    std::string line = lower(std::string_view(request).substr(at, end - at));
    at = end + 1;
    if (!line.starts_with(name) || line[name.size()] != ':') continue;
    line.erase(0, name.size() + 1);
    line.erase(0, line.find_first_not_of(" \t"));
    line.erase(line.find_last_not_of(" \t\r") + 1);
    values.push_back(line);
  }
  return values;
}

bool is_own_host(std::string_view host) {
  const std::string_view name = host.substr(0, host.find(':'));
  return name == "localhost" || name == "box.example" ||
         host.find_first_not_of("0123456789abcdef.:[]") == std::string_view::npos;
}

/// Whether the request meets the conditions of access, found without the parser and without Access.
bool may_enter(const std::string& request) {
  const std::vector<std::string> hosts = values_of(request, "host");
  const std::vector<std::string> origins = values_of(request, "origin");
  const auto is_own_origin = [&](const std::string& origin) {
    return origin.empty() || std::any_of(hosts.begin(), hosts.end(), [&](const std::string& host) {
             return origin == "http://" + host;
           });
  };
  return request.find("token=secret") != std::string::npos &&
         std::any_of(hosts.begin(), hosts.end(), is_own_host) &&
         (origins.empty() || std::any_of(origins.begin(), origins.end(), is_own_origin));
}

struct Visit {
  std::string answer;
  int opened = 0;
};

Visit visit(std::string_view request) {
  Visit result;
  const auto open_live = [&result](boost::beast::tcp_stream&& stream, const HttpSession::Request&) {
    ++result.opened;
    stream.close();
    return true;
  };
  const auto site = std::make_shared<const HttpSession::Site>(
      HttpSession::Site{view::Access("secret", {"box.example"}), std::string(kPage),
                        view::policy_of(std::string(kPage)), open_live});
  PeerSocket peer;
  std::weak_ptr<HttpSession> session;
  {
    const auto made = std::make_shared<HttpSession>(peer.take_server(), site);
    session = made;
    made->read();
  }
  for (int idle = 0; idle < 2;) {
    peer.send(request);
    fuzz_io().restart();
    const bool has_worked = fuzz_io().poll() != 0;
    peer.receive(result.answer);
    idle = has_worked || !request.empty() ? 0 : idle + 1;
  }
  PHYSMEM_CHECK(session.expired());
  return result;
}

void check_answer(const std::string& answer, const std::string& request) {
  http::response_parser<http::string_body> parser;
  // The response to HEAD has the length of a body, but no body.
  if (answer.ends_with("\r\n\r\n")) parser.skip(true);
  parser.eager(true);
  boost::beast::error_code error;
  const std::size_t used = parser.put(boost::asio::buffer(answer), error);
  PHYSMEM_CHECK(!error && parser.is_done() && used == answer.size());
  const auto& response = parser.get();
  PHYSMEM_CHECK(response[http::field::server] == "physmem-view");
  PHYSMEM_CHECK(response["X-Content-Type-Options"] == "nosniff");
  PHYSMEM_CHECK(response[http::field::cache_control] == "no-store");
  const bool is_page = response.result() == http::status::ok;
  PHYSMEM_CHECK(!is_page || may_enter(request));
  PHYSMEM_CHECK(is_page == !response["Content-Security-Policy"].empty());
  PHYSMEM_CHECK(is_page || response.body().find(kPage) == std::string::npos);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string request(reinterpret_cast<const char*>(data), size);
  const Visit result = visit(request);
  PHYSMEM_CHECK(result.opened == 0 ||
                (result.opened == 1 && result.answer.empty() && may_enter(request)));
  if (!result.answer.empty()) check_answer(result.answer, request);
  return 0;
}
