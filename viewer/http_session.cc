// SPDX-License-Identifier: MIT
#include "viewer/http_session.h"

#include <boost/beast/http/read.hpp>
#include <boost/beast/http/write.hpp>
#include <boost/beast/websocket/rfc6455.hpp>
#include <chrono>
#include <string_view>
#include <utility>

namespace physmem::view {
namespace {

namespace http = boost::beast::http;
using boost::beast::error_code;

constexpr std::uint32_t kMaxHeaderBytes = 8192;
constexpr std::chrono::seconds kTimeout{10};  // for slow requests, and for clients that do not read

std::string_view text(boost::beast::string_view view) {
  return {view.data(), view.size()};
}

HttpSession::Response plain(const HttpSession::Request& request, http::status status,
                            std::string body) {
  HttpSession::Response response(status, request.version());
  response.set(http::field::content_type, "text/plain; charset=utf-8");
  response.body() = std::move(body) + "\n";
  return response;
}

}  // namespace

std::string policy_of(const std::string& page) {
  constexpr std::string_view kBegin = R"(http-equiv="Content-Security-Policy" content=")";
  constexpr std::string_view kNothing = "default-src 'none'; base-uri 'none'; form-action 'none'";
  const std::size_t at = page.find(kBegin);
  const std::size_t begin = at + kBegin.size();
  const std::size_t end = at == std::string::npos ? at : page.find('"', begin);
  const std::string own{
      end == std::string::npos ? kNothing : std::string_view(page).substr(begin, end - begin)};
  return own + "; frame-ancestors 'none'";
}

HttpSession::HttpSession(boost::asio::ip::tcp::socket&& socket, std::shared_ptr<const Site> site)
    : stream_(std::move(socket)), site_(std::move(site)), buffer_(kMaxHeaderBytes) {}

void HttpSession::read() {
  parser_.emplace();
  parser_->header_limit(kMaxHeaderBytes);
  parser_->body_limit(std::uint64_t{0});
  stream_.expires_after(kTimeout);
  http::async_read(
      stream_, buffer_, *parser_,
      [self = shared_from_this()](error_code error, std::size_t) { self->on_read(error); });
}

void HttpSession::on_read(error_code error) {
  if (!error) return answer(parser_->get());
  if (error == http::error::end_of_stream || error == boost::beast::error::timeout ||
      !stream_.socket().is_open())
    return close();
  const bool is_too_long = error == http::error::header_limit || error == http::error::body_limit ||
                           error == http::error::buffer_overflow;
  const auto status =
      is_too_long ? http::status::request_header_fields_too_large : http::status::bad_request;
  send(plain({}, status, is_too_long ? "the request is too long" : "malformed HTTP request"));
}

bool HttpSession::is_local() const {
  error_code error;
  const auto client = stream_.socket().remote_endpoint(error);
  return !error && client.address().is_loopback();
}

bool HttpSession::has_access(const Request& request) const {
  return (site_->metrics && !site_->is_token_secret && is_local()) ||
         site_->access.has_token(text(request.target())) ||
         site_->access.has_bearer_token(text(request[http::field::authorization]));
}

bool HttpSession::has_path(std::string_view path) const {
  return site_->metrics ? path == "/metrics" : path == "/" || path == "/live";
}

HttpSession::Response HttpSession::metrics(const Request& request) const {
  std::string text = site_->metrics();
  if (text.empty())
    return plain(request, http::status::service_unavailable,
                 "the first collection is not complete");
  Response response(http::status::ok, request.version());
  response.set(http::field::content_type,
               "application/openmetrics-text; version=1.0.0; charset=utf-8");
  if (request.method() == http::verb::head)
    response.content_length(text.size());
  else
    response.body() = std::move(text);
  return response;
}

std::optional<HttpSession::Response> HttpSession::refusal(const Request& request) const {
  const auto host = text(request[http::field::host]);
  const auto path = path_of(text(request.target()));
  if (!site_->access.is_own_host(host))
    return plain(request, http::status::misdirected_request,
                 "this host name is not allowed (Host); physmem-view --host NAME allows it");
  if (!has_access(request))
    return plain(request, http::status::forbidden,
                 "the token is missing or wrong: open the address that physmem-view printed, with "
                 "?token=TOKEN of --token-file");
  if (request.method() != http::verb::get && request.method() != http::verb::head)
    return plain(request, http::status::method_not_allowed, "only GET");
  if (!has_path(path))
    return plain(
        request, http::status::not_found,
        site_->metrics ? "not found: only /metrics exists" : "not found: only / and /live exist");
  if (!site_->access.is_own_origin(text(request[http::field::origin]), host))
    return plain(request, http::status::forbidden, "a page of another origin has no access");
  return {};
}

void HttpSession::answer(const Request& request) {
  if (auto refused = refusal(request)) return send(std::move(*refused));
  is_trusted_ = true;
  if (site_->metrics) return send(metrics(request));
  if (path_of(text(request.target())) == "/live") {
    if (!boost::beast::websocket::is_upgrade(request))
      return send(plain(request, http::status::upgrade_required, "/live requires a WebSocket"));
    stream_.expires_never();
    if (!site_->open_live(std::move(stream_), request))
      return send(plain(request, http::status::service_unavailable, "too many open pages"));
    return;
  }
  Response response(http::status::ok, request.version());
  response.set(http::field::content_type, "text/html; charset=utf-8");
  response.set("Content-Security-Policy", site_->policy);
  if (request.method() == http::verb::get) response.body() = site_->page;
  if (request.method() == http::verb::head) response.content_length(site_->page.size());
  send(std::move(response));
}

void HttpSession::send(Response&& response) {
  response_ = std::move(response);
  response_->set(http::field::server, "physmem-view");
  response_->set(http::field::cache_control, "no-store");
  response_->set("X-Content-Type-Options", "nosniff");
  response_->set("Referrer-Policy", "no-referrer");
  response_->set("Cross-Origin-Opener-Policy", "same-origin");
  response_->set("Cross-Origin-Resource-Policy", "same-origin");
  response_->keep_alive(false);
  if (response_->find(http::field::content_length) == response_->end())
    response_->prepare_payload();
  stream_.expires_after(kTimeout);
  http::async_write(stream_, *response_, [self = shared_from_this()](error_code, std::size_t) {
    error_code ignored;
    self->stream_.socket().shutdown(boost::asio::ip::tcp::socket::shutdown_send, ignored);
  });
}

}  // namespace physmem::view
