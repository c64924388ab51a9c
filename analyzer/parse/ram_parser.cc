// SPDX-License-Identifier: MIT
// Z:, O: and R:, the records of the whole of RAM.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "analyzer/parse/record_parser.h"

namespace physmem {
namespace {

FrameClass class_of(std::string_view word) {
  const auto found = std::find(kFrameClassWords.begin(), kFrameClassWords.end(), word);
  return found == kFrameClassWords.end()
             ? PM_RAM_UNKNOWN
             : static_cast<FrameClass>(found - kFrameClassWords.begin());
}

void parse_file(LineCursor& line, RamOwner& file) {
  file.kind = RamOwner::Kind::kFile;
  file.file_system = line.text("file system");
  file.device = line.device("device");
  file.inode = line.dec("inode");
  file.bytes = line.dec("size");
  file.links = line.dec("links");
  file.build_id = line.text("build id");
  if (file.build_id == "-") file.build_id.clear();
  file.name = line.text("path");
  if (!line.has_more()) return;
  file.kind = RamOwner::Kind::kCountedFile;
  file.counts.pages = line.dec("cached pages");
  file.counts.dirty = line.dec_or_dash("dirty pages");
  file.counts.writeback = line.dec_or_dash("pages that are being written");
}

void parse_slab(LineCursor& line, RamOwner& slab) {
  slab.kind = RamOwner::Kind::kSlab;
  slab.object_bytes = line.dec("object size");
  slab.objects_per_slab = line.dec("objects per slab");
  slab.name = line.text("name");
}

void parse_cgroup(LineCursor& line, RamOwner& group) {
  group.kind = RamOwner::Kind::kCgroup;
  group.number = line.dec("id of the cgroup");
  const std::string_view state = line.word("state");
  if (line.ok() && state != "online" && state != "dying")
    line.refuse("state", state, "online or dying");
  group.is_dying = state == "dying";
  group.name = line.text("path");
}

void parse_task(LineCursor& line, RamOwner& task) {
  task.kind = RamOwner::Kind::kTask;
  task.number = line.dec("pid");
  task.start_time = line.dec("start time");
}

void parse_code(LineCursor& line, RamOwner& code) {
  code.kind = RamOwner::Kind::kCode;
  code.name = line.text("caller");
}

void parse_mount(LineCursor& line, RamOwner& mount) {
  mount.kind = RamOwner::Kind::kMount;
  mount.device = line.device("device");
  mount.name = line.text("mount point");
}

}  // namespace

Zone parse_zone(LineCursor& line) {
  Zone zone;
  zone.node = line.dec("node");
  zone.name = line.text("zone");
  zone.first_pfn = line.hex("first frame");
  zone.spanned = line.dec("spanned frames");
  zone.present = line.dec("present frames");
  zone.managed = line.dec("managed frames");
  zone.free = line.dec("free frames");
  zone.percpu_lists = line.dec("frames on per-CPU lists");
  zone.min = line.dec("watermark min");
  zone.low = line.dec("watermark low");
  zone.high = line.dec("watermark high");
  line.skip_fields();
  return zone;
}

Holder parse_holder(LineCursor& line) {
  // In the order of Holder::Kind.
  constexpr std::array<std::string_view, 6> kKinds{"memfd",   "tmpfs",   "system_v",
                                                   "hugetlb", "deleted", "dmabuf"};
  Holder holder;
  holder.pid = line.dec("process");
  holder.descriptor = line.dec("descriptor");
  const auto kind = std::ranges::find(kKinds, line.word("kind"));
  holder.kind = static_cast<Holder::Kind>(kind - kKinds.begin());
  holder.device = line.device("device");
  holder.inode = line.dec("inode");
  holder.bytes = line.dec("bytes");
  holder.pages = line.dec_or_dash("pages");
  holder.name = line.text("name");
  line.skip_fields();
  return holder;
}

RamOwner parse_owner(LineCursor& line) {
  struct Form {
    std::string_view kind;
    void (*parse)(LineCursor&, RamOwner&);
  };
  constexpr std::array<Form, 6> kForms{{{"file", parse_file},
                                        {"slab", parse_slab},
                                        {"cgroup", parse_cgroup},
                                        {"task", parse_task},
                                        {"code", parse_code},
                                        {"mount", parse_mount}}};
  RamOwner owner;
  owner.id = line.dec("owner");
  const std::string_view kind = line.word("kind");
  const auto form = std::find_if(kForms.begin(), kForms.end(),
                                 [&](const Form& known) { return known.kind == kind; });
  if (line.ok() && form != kForms.end()) form->parse(line, owner);
  line.skip_fields();
  return owner;
}

RamRun parse_ram(LineCursor& line) {
  RamRun run;
  run.first_pfn = line.hex("first frame");
  run.pages = line.dec("frames");
  run.use = class_of(line.word("class"));
  run.owner = line.dec("owner");
  run.cgroup = line.dec("cgroup");
  run.flags = line.hex("flags");
  run.count = line.dec("use count");
  run.place = line.hex("place");
  line.skip_fields();
  return run;
}

}  // namespace physmem
