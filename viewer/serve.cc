// SPDX-License-Identifier: MIT
#include "viewer/serve.h"

#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <csignal>
#include <new>
#include <ostream>
#include <utility>

#include "program/memory_limit.h"
#include "program/messages.h"
#include "viewer/browser.h"
#include "viewer/server.h"

namespace physmem::view {
namespace {

/// Time for closing the connections of the pages.
constexpr std::chrono::milliseconds kGoodbye{500};

ServerOptions server_options(const Options& options, std::string token) {
  ServerOptions server;
  server.address = options.listen;
  server.port = options.port;
  server.host_names = options.hosts;
  server.is_token_secret = !token.empty();
  server.token = std::move(token);
  return server;
}

/// Also on SIGHUP, because the terminal with the address was closed. Under nohup, SIGHUP stays
/// ignored.
void add_signals(boost::asio::signal_set& signals) {
  struct sigaction hangup {};
  ::sigaction(SIGHUP, nullptr, &hangup);
  for (const int signal : {SIGINT, SIGQUIT, SIGTERM}) signals.add(signal);
  if (hangup.sa_handler != SIG_IGN) signals.add(SIGHUP);
}

/// A request of one page may exceed the memory limit. Other pages continue.
void run_all(boost::asio::io_context& io, std::ostream& messages) {
  while (true) {
    try {
      io.run();
      return;
    } catch (const std::bad_alloc&) {
      report(messages, kProgramName, memory_refusal("the request of a page", "allow more"));
    }
  }
}

}  // namespace

Exit serve(boost::asio::io_context& io, const Serving& serving, OpenPort port,
           std::function<std::unique_ptr<View>()> make_view, const std::function<void()>& begin,
           const std::function<void()>& end, std::function<std::string()> metrics) {
  ServerOptions options = server_options(serving.options, std::move(port.token));
  options.metrics = std::move(metrics);
  Server server(io, std::move(options), serving.page, std::move(make_view));
  if (Status status = server.listen(std::move(port.socket)); !status)
    return report_error(serving.messages, kProgramName, status.error());
  boost::asio::signal_set signals(io);
  add_signals(signals);
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
    return report_error(serving.messages, kProgramName,
                        {Error::Kind::kIo, "cannot write the address to standard output"});
  Browser browser;
  if (serving.options.opens_browser)
    if (const std::string problem = browser.open(port.identity, port.was_root, server.url());
        !problem.empty())
      report(serving.messages, kProgramName, problem);
  begin();
  run_all(io, serving.messages);
  return Exit::kDone;
}

}  // namespace physmem::view
