// SPDX-License-Identifier: MIT
#include "viewer/open_port.h"

#include <fmt/format.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

#include "viewer/token_file.h"

namespace physmem::view {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

}  // namespace

Result<UniqueFd> listen_on(const std::string& address, std::uint16_t port) {
  error_code error;
  const auto numeric = asio::ip::make_address(address, error);
  if (error)
    return Error{
        Error::Kind::kUsage,
        fmt::format("--listen: found \"{}\", expected a numeric address as 127.0.0.1 or ::1",
                    address)};
  const tcp::endpoint endpoint(numeric, port);
  asio::io_context io;
  tcp::acceptor acceptor(io);
  acceptor.open(endpoint.protocol(), error);
  if (!error) acceptor.set_option(tcp::acceptor::reuse_address(true), error);
  if (!error) acceptor.bind(endpoint, error);
  if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
  if (error)
    return Error{Error::Kind::kIo,
                 fmt::format("cannot listen on {} port {}: {}; another --port, or 0, may be free",
                             address, port, error.message())};
  return UniqueFd(acceptor.release());
}

Result<OpenPort> open_port(const Options& options) {
  Result<UniqueFd> socket = listen_on(options.listen, options.port);
  if (!socket) return socket.error();
  OpenPort port{std::move(*socket), {}, ::geteuid() == 0, {}};
  if (!options.token_file.empty()) {
    Result<std::string> token = token_of_file(options.token_file);
    if (!token) return token.error();
    port.token = std::move(*token);
  }
  if (port.was_root)
    if (const std::string problem = find_identity_without_rights(port.identity); !problem.empty())
      return Error{Error::Kind::kUsage, problem};
  std::string problem = port.was_root ? become(port.identity) : "";
  if (problem.empty()) problem = give_up_capabilities();
  if (!problem.empty()) return Error{Error::Kind::kIo, problem};
  return port;
}

}  // namespace physmem::view
