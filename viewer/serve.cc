// SPDX-License-Identifier: MIT
#include "viewer/serve.h"

#include <fmt/format.h>
#include <fmt/ostream.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <ostream>

#include "system/privileges.h"
#include "viewer/run.h"
#include "viewer/server.h"

namespace physmem::view {
namespace {

/// For the pages' goodbyes.
constexpr std::chrono::milliseconds kGoodbye{500};

ServerOptions server_options(const Options& options) {
  ServerOptions server;
  server.address = options.listen;
  server.port = options.port;
  server.host_names = options.hosts;
  return server;
}

/// Root's would not be its own.
void set_home(const Identity& identity) {
  if (!identity.home.empty()) ::setenv("HOME", identity.home.c_str(), 1);
  ::setenv("XDG_RUNTIME_DIR", fmt::format("/run/user/{}", identity.user).c_str(), 1);
}

/// What is wrong, or nothing. xdg-open passes the address on to a browser and ends; ended children are not waited for.
std::string open_browser(const std::string& url) {
  if (std::getenv("DISPLAY") == nullptr && std::getenv("WAYLAND_DISPLAY") == nullptr)
    return "--open: there is no display (DISPLAY, WAYLAND_DISPLAY); open the address yourself";
  std::string program = "xdg-open";
  std::string argument = url;
  std::array<char*, 3> arguments{program.data(), argument.data(), nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, 2, 1);  // what it says is no answer of this program
  pid_t pid = 0;
  const int error = posix_spawnp(&pid, program.c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  return error == 0 ? "" : "--open: xdg-open cannot be started: is xdg-utils installed?";
}

std::string open_browser_as(const Identity& identity, bool was_root, const std::string& url) {
  if (was_root && !identity.is_caller)
    return "--open: started as root, and SUDO_UID does not name a user whose browser it could be; open the "
           "address yourself";
  if (was_root) set_home(identity);
  return open_browser(url);
}

}  // namespace

Exit serve(boost::asio::io_context& io, const Serving& serving,
           std::function<std::unique_ptr<View>()> make_view, const std::function<void()>& begin,
           const std::function<void()>& end) {
  Server server(io, server_options(serving.options), serving.page, std::move(make_view));
  if (Status status = server.listen(); !status) return fail(serving.messages, status.error());
  // All that needs root is open by now: the source, and the port.
  const bool was_root = ::geteuid() == 0;
  const Identity identity = identity_without_rights();
  if (const std::string problem = was_root ? become(identity) : ""; !problem.empty())
    return fail(serving.messages, {Error::Kind::kIo, problem});
  boost::asio::signal_set signals(io, SIGINT, SIGTERM);
  boost::asio::steady_timer goodbye(io);
  signals.async_wait([&](const boost::system::error_code& error, int) {
    if (error) return;
    end();
    server.close();
    goodbye.expires_after(kGoodbye);
    goodbye.async_wait([&](const boost::system::error_code&) { io.stop(); });
  });
  serving.out << server.url() << std::endl;
  if (!serving.out)
    return fail(serving.messages, {Error::Kind::kIo, "cannot write the address to standard output"});
  if (serving.options.opens_browser)
    if (const std::string problem = open_browser_as(identity, was_root, server.url()); !problem.empty())
      fmt::print(serving.messages, "physmem-view: {}\n", problem);
  begin();
  io.run();
  return Exit::kDone;
}

}  // namespace physmem::view
