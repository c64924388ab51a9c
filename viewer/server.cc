// SPDX-License-Identifier: MIT
#include "viewer/server.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <list>
#include <new>
#include <utility>

#include "viewer/access.h"
#include "viewer/http_session.h"
#include "viewer/live_client.h"
#include "viewer/open_port.h"

namespace physmem::view {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

/// Delay after a failed accept(), which fails immediately and repeatedly without free descriptors.
constexpr std::chrono::milliseconds kAfterFailure{200};

std::string host_in_url(const asio::ip::address& address) {
  if (address.is_unspecified()) return "127.0.0.1";
  return address.is_v6() ? fmt::format("[{}]", address.to_string()) : address.to_string();
}

}  // namespace

struct Server::Impl : std::enable_shared_from_this<Server::Impl> {
  Impl(asio::io_context& io_context, ServerOptions given, std::string html,
       std::function<std::unique_ptr<View>()> maker, Clock& time)
      : io(io_context),
        options(std::move(given)),
        page(std::move(html)),
        make_view(std::move(maker)),
        clock(time),
        acceptor(io),
        timer(io),
        access(options.token, {}) {}

  Status listen(UniqueFd socket);
  void accept();
  void begin(tcp::socket&& socket);
  void on_accept(error_code error, tcp::socket&& socket);
  bool open_live(boost::beast::tcp_stream&& stream, const HttpSession::Request& request);
  void round();
  void erase_closed();
  bool close_untrusted();
  void close();

  asio::io_context& io;
  ServerOptions options;
  std::string page;
  std::function<std::unique_ptr<View>()> make_view;
  Clock& clock;
  tcp::acceptor acceptor;
  asio::steady_timer timer;
  Access access;
  std::shared_ptr<const HttpSession::Site> site;
  std::list<std::weak_ptr<HttpSession>> sessions;
  std::list<std::weak_ptr<LiveClient>> clients;
  bool is_closing = false;
};

Status Server::Impl::listen(UniqueFd socket) {
  if (!socket) {
    Result<UniqueFd> opened = listen_on(options.address, options.port);
    if (!opened) return opened.error();
    socket = std::move(*opened);
  }
  const bool is_v6 = asio::ip::make_address(options.address).is_v6();
  acceptor.assign(is_v6 ? tcp::v6() : tcp::v4(), socket.release());
  access = Access(options.token.empty() ? random_token() : options.token, options.host_names);
  site = std::make_shared<const HttpSession::Site>(HttpSession::Site{
      access, page, policy_of(page),
      [weak = weak_from_this()](auto&& stream, const auto& request) {
        const auto self = weak.lock();
        return self != nullptr && self->open_live(std::forward<decltype(stream)>(stream), request);
      },
      options.metrics, options.is_token_secret});
  accept();
  round();
  return {};
}

void Server::Impl::accept() {
  acceptor.async_accept([self = shared_from_this()](error_code error, tcp::socket socket) {
    self->on_accept(error, std::move(socket));
  });
}

void Server::Impl::on_accept(error_code error, tcp::socket&& socket) {
  if (is_closing) return;
  if (error) {
    auto later = std::make_shared<asio::steady_timer>(io, kAfterFailure);
    later->async_wait([self = shared_from_this(), later](error_code) {
      if (!self->is_closing) self->accept();
    });
    return;
  }
  erase_closed();
  // An excess connection is closed without an answer.
  if (sessions.size() + clients.size() < options.max_connections || close_untrusted())
    begin(std::move(socket));
  accept();
}

/// Closes the connection if memory runs out.
void Server::Impl::begin(tcp::socket&& socket) {
  try {
    auto session = std::make_shared<HttpSession>(std::move(socket), site);
    sessions.push_back(session);
    session->read();
  } catch (const std::bad_alloc&) {
    erase_closed();
  }
}

/// Closes the oldest connection that has not sent a token, because clients with a token send it at
/// once. Otherwise anyone could block the server with open connections.
bool Server::Impl::close_untrusted() {
  for (auto it = sessions.begin(); it != sessions.end(); ++it) {
    const auto session = it->lock();
    if (session == nullptr || session->is_trusted()) continue;
    session->close();
    sessions.erase(it);
    return true;
  }
  return false;
}

bool Server::Impl::open_live(boost::beast::tcp_stream&& stream,
                             const HttpSession::Request& request) {
  erase_closed();
  if (is_closing || clients.size() >= options.max_clients) return false;
  auto client = std::make_shared<LiveClient>(std::move(stream), make_view(), clock);
  clients.push_back(client);
  client->accept(request, options.send_buffer);
  return true;
}

void Server::Impl::erase_closed() {
  sessions.remove_if([](const auto& session) { return session.expired(); });
  clients.remove_if([](const auto& client) { return client.expired(); });
}

void Server::Impl::round() {
  if (is_closing) return;
  for (const auto& weak : clients)
    if (const auto client = weak.lock()) client->poll();
  timer.expires_after(options.round);
  timer.async_wait([self = shared_from_this()](error_code error) {
    if (!error) self->round();
  });
}

void Server::Impl::close() {
  if (std::exchange(is_closing, true)) return;
  error_code ignored;
  acceptor.close(ignored);
  timer.cancel();
  for (const auto& weak : sessions)
    if (const auto session = weak.lock()) session->close();
  for (const auto& weak : clients)
    if (const auto client = weak.lock()) client->close();
}

Server::Server(asio::io_context& io, ServerOptions options, std::string page,
               std::function<std::unique_ptr<View>()> make_view, Clock& clock)
    : impl_(std::make_shared<Impl>(io, std::move(options), std::move(page), std::move(make_view),
                                   clock)) {}

Server::~Server() {
  impl_->close();
}

Status Server::listen(UniqueFd socket) {
  return impl_->listen(std::move(socket));
}

std::uint16_t Server::port() const {
  error_code ignored;
  return impl_->acceptor.local_endpoint(ignored).port();
}

std::string Server::url() const {
  error_code ignored;
  const tcp::endpoint endpoint = impl_->acceptor.local_endpoint(ignored);
  const std::string place =
      fmt::format("http://{}:{}/", host_in_url(endpoint.address()), endpoint.port());
  const bool is_metrics = impl_->options.metrics != nullptr;
  const std::string path = place + (is_metrics ? "metrics" : "");
  const bool is_open = is_metrics && endpoint.address().is_loopback();
  return impl_->options.is_token_secret || is_open
             ? path
             : fmt::format("{}?token={}", path, impl_->access.token());
}

void Server::close() {
  impl_->close();
}

}  // namespace physmem::view
