// SPDX-License-Identifier: MIT
// Runs a server, from printing its address to closing its last page.
#pragma once

#include <boost/asio/io_context.hpp>
#include <functional>
#include <iosfwd>
#include <memory>
#include <string>

#include "program/exit.h"
#include "viewer/open_port.h"
#include "viewer/options.h"
#include "viewer/view.h"

namespace physmem::view {

struct Serving {
  const Options& options;
  const std::string& page;
  std::ostream& out;
  std::ostream& messages;
};

/// Prints the address and serves until SIGINT, SIGTERM or SIGHUP. `begin` is called after the
/// address was printed, `end` when the server stops. `metrics`: see ServerOptions.
Exit serve(boost::asio::io_context& io, const Serving& serving, OpenPort port,
           std::function<std::unique_ptr<View>()> make_view, const std::function<void()>& begin,
           const std::function<void()>& end, std::function<std::string()> metrics = nullptr);

}  // namespace physmem::view
