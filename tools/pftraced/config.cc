// SPDX-License-Identifier: MIT
#include "tools/pftraced/config.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <utility>

#include "program/privileges.h"
#include "program/unique_fd.h"

namespace physmem::daemon {
namespace {

constexpr std::size_t kMaxBytes = std::size_t{64} * 1024;
constexpr std::size_t kMaxProcesses = 64;
constexpr std::string_view kBlanks = " \t\r";

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

/// The text before a '#' at the beginning of the line or after a blank.
std::string_view without_comment(std::string_view line) {
  for (std::size_t at = line.find('#'); at != std::string_view::npos; at = line.find('#', at + 1))
    if (at == 0 || kBlanks.find(line[at - 1]) != std::string_view::npos) return line.substr(0, at);
  return line;
}

/// Text for a message: unprintable characters become question marks, and long text is cut.
std::string shown(std::string_view text) {
  std::string safe(text.substr(0, 60));
  std::replace_if(
      safe.begin(), safe.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return '"' + safe + (text.size() > 60 ? "…\"" : "\"");
}

constexpr const char* kUserForms = "a name of /etc/passwd, or a number up to 4294967294";

std::string expected(std::string_view found, const std::string& what) {
  return "found " + shown(found) + ", expected " + what;
}

/// Lines may have any order: `port` may come before or after `client`.
struct Draft {
  Config config;
  std::optional<std::string> client;
  std::optional<std::uint16_t> port;
  std::size_t client_line = 0, server_line = 0;
  std::size_t line = 0;  // the current line
};

template <class T>
bool parse_number(std::string_view text, T& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size();
}

// Each function takes a value and returns an error message, or an empty string.

std::string set_client(Draft& draft, std::string_view value) {
  const Result<wire::Endpoint> endpoint = wire::Endpoint::parse(value, wire::kPort);
  if (!endpoint) return expected(value, wire::kAddressForms);
  draft.client = value;
  draft.client_line = draft.line;
  return {};
}

std::string set_server(Draft& draft, std::string_view value) {
  const Result<wire::Endpoint> endpoint = wire::Endpoint::parse(value, 0);
  if (!endpoint) return expected(value, wire::kAddressForms);
  draft.config.server = *endpoint;
  draft.server_line = draft.line;
  return {};
}

std::string set_port(Draft& draft, std::string_view value) {
  std::uint16_t port = 0;
  if (!parse_number(value, port) || port == 0) return expected(value, "a port, 1 to 65535");
  draft.port = port;
  return {};
}

std::string set_source(Draft& draft, std::string_view value) {
  const std::optional<SourceChoice> choice = source_choice(value);
  if (!choice) return expected(value, kSourceNames);
  draft.config.source = *choice;
  return {};
}

std::string add_process(Draft& draft, std::string_view value) {
  std::uint32_t pid = 0;
  if (!parse_number(value, pid) || pid == 0) return expected(value, "the number of a process");
  if (draft.config.processes.size() == kMaxProcesses)
    return "too many processes, expected at most " + std::to_string(kMaxProcesses);
  draft.config.processes.push_back(pid);
  return {};
}

std::string set_all_events(Draft& draft, std::string_view value) {
  if (value != "yes" && value != "no") return expected(value, "yes or no");
  draft.config.all_events = value == "yes";
  return {};
}

std::string set_user(Draft& draft, std::string_view value) {
  if (value.find_first_of(": \t") != std::string_view::npos) return expected(value, kUserForms);
  // Checked here, and not only when privileges are dropped, so that the message has the line.
  if (!identity_of(std::string(value))) return expected(value, kUserForms);
  draft.config.user = value;
  return {};
}

struct Key {
  std::string_view name;
  std::string (*set)(Draft&, std::string_view);
  bool is_repeated;
};

constexpr std::array<Key, 7> kKeys{{{"client", set_client, false},
                                    {"server", set_server, false},
                                    {"port", set_port, false},
                                    {"source", set_source, false},
                                    {"pid", add_process, true},
                                    {"all_events", set_all_events, false},
                                    {"user", set_user, false}}};

std::string known_keys() {
  std::string names;
  for (const Key& key : kKeys) names += (names.empty() ? "" : ", ") + std::string(key.name);
  return names;
}

using Lines = std::array<std::size_t, kKeys.size()>;  // line of each key; 0: absent

/// Parses a line. Returns an error message, or an empty string.
std::string take_line(std::string_view line, Draft& draft, Lines& seen) {
  const std::string_view text = trimmed(without_comment(line));
  if (text.empty()) return {};
  const std::size_t blank = text.find_first_of(kBlanks);
  const std::string_view name = text.substr(0, blank);
  const auto* const key = std::find_if(kKeys.begin(), kKeys.end(),
                                       [name](const Key& known) { return known.name == name; });
  if (key == kKeys.end()) return expected(name, "one of " + known_keys());
  if (blank == std::string_view::npos)
    return std::string(name) + " has no value, expected \"" + std::string(name) + " VALUE\"";
  std::size_t& before = seen[static_cast<std::size_t>(key - kKeys.begin())];
  if (before != 0 && !key->is_repeated)
    return "a second " + std::string(name) + ", the first is in line " + std::to_string(before);
  before = draft.line;
  const std::string problem = key->set(draft, trimmed(text.substr(blank)));
  return problem.empty() ? problem : std::string(name) + ": " + problem;
}

Error bad(const std::string& name, std::size_t line, const std::string& what) {
  const std::string where = line == 0 ? name : name + ":" + std::to_string(line);
  return {Error::Kind::kBadInput, where + ": " + what};
}

Result<Config> finished(Draft draft, const std::string& name) {
  if (!draft.client)
    return bad(name, 0,
               "client is missing, expected a line such as "
               "\"client 192.0.2.7\"");
  draft.config.client = *wire::Endpoint::parse(*draft.client, draft.port.value_or(wire::kPort));
  if (draft.config.server && draft.config.server->family() != draft.config.client.family())
    return bad(name, draft.server_line,
               "server: found " + draft.config.server->host() +
                   ", expected an address of the client's kind (IPv4 or IPv6), line " +
                   std::to_string(draft.client_line));
  return std::move(draft.config);
}

/// As root, a configuration that another user wrote or can write is rejected, because it names the
/// user to run as and the destination.
std::string flaw_of_owner(int file) {
  struct stat status {};
  if (::geteuid() != 0 || ::fstat(file, &status) != 0) return {};
  if (status.st_uid == 0 && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0) return {};
  return "found a file that user " + std::to_string(status.st_uid) +
         " or others can write to, expected one of root's with a mode such as 0644";
}

}  // namespace

Result<Config> parse_config(std::string_view text, const std::string& name) {
  Draft draft;
  Lines seen = {};
  while (!text.empty()) {
    ++draft.line;
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string problem = take_line(text.substr(0, end), draft, seen);
    if (!problem.empty()) return bad(name, draft.line, problem);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return finished(std::move(draft), name);
}

Result<Config> read_config(const std::string& path) {
  const auto refused = [&path](const char* what) {
    return Error{Error::Kind::kIo, path + ": " + what + ": " + std::strerror(errno) +
                                       " (pftraced --help describes the format)"};
  };
  const UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) return refused("cannot open");
  if (const std::string flaw = flaw_of_owner(file.get()); !flaw.empty()) return bad(path, 0, flaw);
  std::string text(kMaxBytes + 1, '\0');
  std::size_t used = 0;
  while (used < text.size()) {
    const ssize_t size = ::read(file.get(), text.data() + used, text.size() - used);
    if (size < 0) return refused("cannot read");
    if (size == 0) break;
    used += static_cast<std::size_t>(size);
  }
  if (used > kMaxBytes)
    return bad(path, 0, "found more than 65536 bytes, expected a configuration");
  text.resize(used);
  return parse_config(text, path);
}

}  // namespace physmem::daemon
