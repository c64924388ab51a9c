// SPDX-License-Identifier: MIT
#include "fleet/store/clickhouse_url.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <fstream>
#include <optional>

#include "program/errors.h"
#include "program/printable.h"

namespace physmem::fleet {
namespace {

constexpr std::string_view kHttp = "clickhouse+http://";
constexpr std::string_view kHttps = "clickhouse+https://";

Error url_error(std::string_view found, std::string_view expected) {
  return {Error::Kind::kUsage,
          "store: found " + in_quotes(found, 200) + ", expected " + std::string(expected)};
}

int digit(char hex) {
  if (hex >= '0' && hex <= '9') return hex - '0';
  if (hex >= 'a' && hex <= 'f') return hex - 'a' + 10;
  if (hex >= 'A' && hex <= 'F') return hex - 'A' + 10;
  return -1;
}

Result<std::string> decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    const int high = i + 2 < text.size() ? digit(text[i + 1]) : -1;
    const int low = i + 2 < text.size() ? digit(text[i + 2]) : -1;
    if (high < 0 || low < 0) return url_error("%", "two hexadecimal digits after %");
    out += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return out;
}

bool is_identifier(std::string_view name) {
  const auto is_word = [](char c) {
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  };
  return !name.empty() && name.size() <= 64 && !(name[0] >= '0' && name[0] <= '9') &&
         std::all_of(name.begin(), name.end(), is_word);
}

/// The part before the separator, which is removed from `text` with it; all of it without one.
std::string_view take(std::string_view& text, char separator) {
  const std::size_t end = text.find(separator);
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return part;
}

std::optional<std::uint64_t> number(std::string_view text, std::uint64_t limit) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value > limit) return {};
  return value;
}

/// Advice for characters that end the user and the password.
constexpr const char* kInPasswords = " (/, ? and @ in a password are %2F, %3F and %40)";

Status add_host(ClickhouseUrl& url, std::string_view host) {
  const std::string_view found = host;
  const std::size_t bracket = host.starts_with('[') ? host.find(']') : 0;
  const std::size_t colon = bracket == std::string_view::npos ? bracket : host.find(':', bracket);
  const std::string_view name = host.substr(0, colon);
  const std::string_view port =
      colon == std::string_view::npos ? (url.is_https ? "8443" : "8123") : host.substr(colon + 1);
  const bool has_name = !name.empty() && name.find_first_of("/?#@%\\\"' \t") == name.npos;
  const auto value = number(port, 65535);
  // A wrong port is not shown, because it may be the beginning of a password.
  if (!value || *value == 0)
    return url_error(name, std::string("a host, or HOST:PORT with a number") + kInPasswords);
  if (!has_name || bracket == std::string_view::npos)
    return url_error(found, "a host, or HOST:PORT");
  url.hosts.push_back(std::string(name) + ":" + std::string(port));
  return {};
}

Status add_user(ClickhouseUrl& url, std::string_view text) {
  const Result<std::string> user = decoded(take(text, ':'));
  const Result<std::string> password = decoded(text);
  if (!user) return user.error();
  if (!password) return password.error();
  url.user = *user;
  url.password = *password;
  return {};
}

Status read_password(ClickhouseUrl& url, const std::string& path) {
  std::ifstream file(path);
  if (!std::getline(file, url.password)) return io_error("read the password in " + path, errno);
  return {};
}

Status add_setting(ClickhouseUrl& url, std::string_view setting) {
  std::string_view rest = setting;
  const std::string_view name = take(rest, '=');
  const Result<std::string> value = decoded(rest);
  if (!value) return value.error();
  if (name == "cluster") {
    if (!is_identifier(*value)) return url_error(*value, "a name of letters, digits and _");
    url.cluster = *value;
  } else if (name == "password-file") {
    return read_password(url, *value);
  } else if (name == "ca") {
    url.ca_file = *value;
  } else if (name == "timeout" || name == "retry") {
    const auto seconds = number(*value, 86400);
    if (!seconds || (name == "timeout" && *seconds == 0))
      return url_error(setting, "at most 86400 seconds");
    (name == "timeout" ? url.timeout_seconds : url.retry_seconds) = *seconds;
  } else if (name == "batch") {
    const auto rows = number(*value, url.batch_rows);
    if (!rows || *rows == 0) return url_error(setting, "at most 10000000 rows");
    url.batch_rows = *rows;
  } else {
    return url_error(setting, "cluster, password-file, ca, timeout, retry or batch");
  }
  return {};
}

Status add_place(ClickhouseUrl& url, std::string_view place) {
  std::string_view hosts = take(place, '/');
  if (const std::size_t at = hosts.rfind('@'); at != std::string_view::npos) {
    if (Status status = add_user(url, hosts.substr(0, at)); !status) return status;
    hosts.remove_prefix(at + 1);
  }
  do {
    if (Status status = add_host(url, take(hosts, ',')); !status) return status;
  } while (!hosts.empty());
  if (place.empty()) return {};
  if (place.find('@') != place.npos)
    return url_error("@", std::string("none in the database") + kInPasswords);
  if (!is_identifier(place)) return url_error(place, "a database of letters, digits and _");
  url.database = place;
  return {};
}

}  // namespace

bool is_clickhouse_url(std::string_view url) {
  return url.starts_with(kHttp) || url.starts_with(kHttps);
}

Result<ClickhouseUrl> parse_clickhouse_url(std::string_view text) {
  ClickhouseUrl url;
  if (!is_clickhouse_url(text)) return url_error(text, "clickhouse+http://HOST/DATABASE");
  url.is_https = text.starts_with(kHttps);
  std::string_view settings = text.substr(url.is_https ? kHttps.size() : kHttp.size());
  if (const Status status = add_place(url, take(settings, '?')); !status) return status.error();
  while (!settings.empty())
    if (const Status status = add_setting(url, take(settings, '&')); !status) return status.error();
  if (url.hosts.size() > 1 && url.cluster.empty())
    return url_error(url.hosts[1], "one host, or ?cluster=NAME");
  return url;
}

}  // namespace physmem::fleet
