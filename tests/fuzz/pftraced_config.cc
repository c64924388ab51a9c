// SPDX-License-Identifier: MIT
// Any text gives a configuration with a client, or an error of one printable line that names the
// file.
#include <algorithm>
#include <string>

#include "tests/fuzz/check.h"
#include "tools/pftraced/config.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto config = physmem::daemon::parse_config(text, "pftraced.conf");
  if (!config) {
    const std::string& what = config.error().text;
    PHYSMEM_CHECK(what.rfind("pftraced.conf", 0) == 0);
    PHYSMEM_CHECK(std::none_of(what.begin(), what.end(), [](char c) { return c >= 0 && c < ' '; }));
    PHYSMEM_CHECK(what.size() < 1000);
    return 0;
  }
  PHYSMEM_CHECK(config->client.family() != 0 && config->client.port() != 0);
  PHYSMEM_CHECK(!config->server || config->server->family() == config->client.family());
  PHYSMEM_CHECK(!config->user.empty() && config->processes.size() <= 64);
  // Comments and blank lines have no effect.
  const auto same =
      physmem::daemon::parse_config("# c\n\n" + std::string(text) + "\n# c", "pftraced.conf");
  PHYSMEM_CHECK(same && same->client.text() == config->client.text() && same->user == config->user);
  return 0;
}
