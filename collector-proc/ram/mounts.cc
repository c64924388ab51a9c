// SPDX-License-Identifier: MIT
#include "collector-proc/ram/mounts.h"

#include <optional>
#include <set>
#include <utility>

#include "collector-proc/text_cursor.h"
#include "program/printable.h"

namespace physmem::collect {
namespace {

/// mountinfo writes blank, tab, newline, '#' and backslash of a place as \ooo.
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
               from_export(line.until(' '))};
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

std::uint64_t write_mounts(const ProcTree& tree, pm_out& out, std::uint64_t owners) {
  ReadBuffer text;
  if (read_at(tree.fd(), "self/mountinfo", text) != Access::kRead) return owners;
  pm_ram_writer writer;
  pm_ram_begin(&writer, &out);
  writer.owners = owners;
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
