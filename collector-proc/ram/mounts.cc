// SPDX-License-Identifier: MIT
#include "collector-proc/ram/mounts.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "collector-proc/text_cursor.h"

namespace physmem::collect {
namespace {

bool is_octal(char c) {
  return c >= '0' && c <= '7';
}

/// mountinfo writes blank, tab, newline, '#' and '\' as \ooo.
std::string unescaped(std::string_view text) {
  std::string plain;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::string_view digits = text.substr(std::min(at + 1, text.size()), 3);
    if (text[at] != '\\' || digits.size() != 3 ||
        !std::all_of(digits.begin(), digits.end(), is_octal)) {
      plain += text[at];
      continue;
    }
    plain += static_cast<char>((digits[0] - '0') << 6 | (digits[1] - '0') << 3 | (digits[2] - '0'));
    at += digits.size();
  }
  return plain;
}

/// "36 35 98:0 / /mnt rw,noatime master:1 - ext3 /dev/root rw": id, parent, device, root, place.
std::optional<Mount> parse_mount(std::string_view text) {
  TextCursor line(text);
  line.until(' ');
  line.until(' ');
  const auto dev_major = line.number();
  if (!dev_major || !line.skip(':')) return std::nullopt;
  const auto dev_minor = line.number();
  if (!dev_minor || !line.skip(" / ")) return std::nullopt;
  return Mount{static_cast<std::uint32_t>(*dev_major), static_cast<std::uint32_t>(*dev_minor),
               unescaped(line.until(' '))};
}

}  // namespace

std::vector<Mount> parse_mountinfo(std::string_view text) {
  std::vector<Mount> mounts;
  std::set<std::pair<std::uint32_t, std::uint32_t>> devices;
  TextCursor lines(text);
  while (!lines.at_end()) {
    auto mount = parse_mount(lines.line());
    if (mount && devices.emplace(mount->dev_major, mount->dev_minor).second)
      mounts.push_back(*std::move(mount));
  }
  return mounts;
}

std::uint64_t write_mounts(const ProcTree& tree, pm_out& out) {
  ReadBuffer text;
  if (read_at(tree.fd(), "self/mountinfo", text) != Access::kRead) return 0;
  pm_ram_writer writer;
  pm_ram_begin(&writer, &out);
  for (const Mount& mount : parse_mountinfo(text.text())) {
    pm_ram_owner owner{};
    owner.kind = PM_OWNER_MOUNT;
    owner.id = writer.owners + 1;
    owner.dev_major = mount.dev_major;
    owner.dev_minor = mount.dev_minor;
    owner.name = {mount.place.data(), mount.place.size()};
    pm_ram_put_owner(&writer, &owner);
  }
  return writer.owners;
}

}  // namespace physmem::collect
