// SPDX-License-Identifier: MIT
#include "analyzer/shape/cgroup_title.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <sstream>

#include "program/printable.h"

namespace physmem {
namespace {

/// How a manager of containers names their groups: `front`, an id of 64 hexadecimal digits, `back`.
struct ContainerName {
  std::string_view parent;  ///< the group above; empty: any
  std::string_view front;
  std::string_view back;
  std::string_view title;
};
constexpr std::array<ContainerName, 9> kContainers{{
    {"", "docker-", ".scope", "docker"},
    {"docker", "", "", "docker"},
    {"", "libpod-", ".scope", "podman"},
    {"", "libpod-", "", "podman"},
    {"", "libpod-conmon-", ".scope", "podman conmon"},
    {"", "cri-containerd-", ".scope", "containerd"},
    {"", "crio-", ".scope", "cri-o"},
    {"buildkit", "", "", "buildkit"},
    {"", "", "", "container"},  // of a pod, by the cgroupfs driver
}};
constexpr std::size_t kIdDigits = 64, kShownDigits = 12;

/// Names that follow a fixed beginning.
struct NamedGroup {
  std::string_view front, back, title;
};
constexpr std::array<NamedGroup, 3> kNamed{{
    {"machine-", ".scope", "machine"},
    {"lxc.payload.", "", "lxc"},
    {"lxc.monitor.", "", "lxc monitor"},
}};

std::string_view last_part(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

/// What stands between the two; empty: they do not fit.
std::string_view between(std::string_view text, std::string_view front, std::string_view back) {
  if (text.size() < front.size() + back.size() || !text.starts_with(front) || !text.ends_with(back))
    return {};
  return text.substr(front.size(), text.size() - front.size() - back.size());
}

bool is_id(std::string_view text) {
  return text.size() == kIdDigits &&
         std::ranges::all_of(text, [](unsigned char c) { return std::isxdigit(c) != 0; });
}

/// The id of a pod: "pod5ab0-…", or of the systemd driver "kubepods-burstable-pod5ab0_….slice",
/// where a hyphen would be a level.
std::string pod_of(std::string_view name) {
  if (name.starts_with("kubepods") && name.ends_with(".slice")) {
    const std::size_t at = name.rfind("-pod");
    if (at == std::string_view::npos) return {};
    std::string id(between(name.substr(at), "-pod", ".slice"));
    std::ranges::replace(id, '_', '-');
    return id;
  }
  constexpr std::size_t kUidLength = 32;  // with hyphens 36
  const std::string_view id = between(name, "pod", "");
  return id.size() >= kUidLength ? std::string(id) : std::string();
}

/// As systemd writes other bytes than letters, digits, ":-_." in names: "\x2d".
std::string without_escapes(std::string_view name) {
  std::string text;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const auto digit = [&](std::size_t at) {
      return std::isxdigit(static_cast<unsigned char>(name[at])) != 0;
    };
    if (name.substr(i, 2) == "\\x" && i + 3 < name.size() && digit(i + 2) && digit(i + 3)) {
      text += static_cast<char>(std::stoi(std::string(name.substr(i + 2, 2)), nullptr, 16));
      i += 3;
    } else {
      text += name[i];
    }
  }
  return text;
}

}  // namespace

Result<CgroupNames> CgroupNames::read(std::istream& lines) {
  CgroupNames names;
  std::string line;
  for (std::size_t number = 1; std::getline(lines, line); ++number) {
    std::istringstream words(line);
    std::string id, name;
    if (!(words >> id)) continue;
    std::getline(words >> std::ws, name);
    const bool is_path = id.starts_with('/');
    if (name.empty() || (!is_path && id.size() < kLeastDigits))
      return Error{Error::Kind::kBadInput,
                   fmt::format("in each line an id of at least {} digits, or a path, and a name, "
                               "but line {} is {}",
                               kLeastDigits, number, in_quotes(line))};
    names.names_.emplace_back(std::move(id), std::move(name));
  }
  return names;
}

std::string_view CgroupNames::of(std::string_view id) const {
  for (const auto& [front, name] : names_)
    if (id == front || (!front.starts_with('/') && id.starts_with(front))) return name;
  return {};
}

std::string cgroup_title(std::string_view path, const CgroupNames& names) {
  if (const std::string_view own = names.of(path); !own.empty()) return std::string(own);
  if (path == "/") return "/";
  const std::string_view name = last_part(path);
  const std::string_view parent = last_part(path.substr(0, path.size() - name.size() - 1));
  for (const ContainerName& known : kContainers) {
    const std::string_view id = between(name, known.front, known.back);
    if (!is_id(id) || (!known.parent.empty() && known.parent != parent)) continue;
    const std::string_view own = names.of(id);
    return fmt::format("{} {}", known.title, own.empty() ? id.substr(0, kShownDigits) : own);
  }
  if (const std::string pod = pod_of(name); !pod.empty()) {
    const std::string_view own = names.of(pod);
    return fmt::format("pod {}", own.empty() ? pod : own);
  }
  for (const NamedGroup& known : kNamed)
    if (const std::string_view text = between(name, known.front, known.back); !text.empty())
      return std::string(known.title) + " " + without_escapes(text);
  if (parent == "lxc") return "lxc " + std::string(name);
  return without_escapes(name);
}

}  // namespace physmem
