// SPDX-License-Identifier: MIT
#include "collector-proc/ram/physical_map.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <memory>
#include <optional>
#include <string>

#include <dirent.h>

#include "collector-proc/text_cursor.h"

namespace physmem::collect {
namespace {

using SpanKind = FrameSpan::Kind;

/// Physical addresses have at most 56 bits (RISC-V; x86 and arm64: 52).
constexpr std::uint64_t kLastAddress = (std::uint64_t{1} << 56) - 1;

struct Resource {
  std::size_t depth = 0;    // indentation: it is a part of the resource above with less
  std::uint64_t first = 0;  // bytes
  std::uint64_t last = 0;
  std::string_view name;
};

/// "  01000000-02209987 : Kernel code"
std::optional<Resource> parse_resource(std::string_view text) {
  TextCursor line(text);
  Resource resource;
  resource.depth = std::min(text.find_first_not_of(' '), text.size());
  line.skip_blanks();
  const auto first = line.number(16);
  if (!first || !line.skip('-')) return std::nullopt;
  const auto last = line.number(16);
  if (!last || !line.skip(" : ")) return std::nullopt;
  resource.first = *first;
  resource.last = *last;
  resource.name = line.rest();
  return resource;
}

std::optional<SpanKind> part_of_kernel(std::string_view name) {
  if (name == "Kernel code" || name == "Kernel rodata") return SpanKind::kKernelCode;
  if (name == "Kernel data" || name == "Kernel bss") return SpanKind::kKernelData;
  if (name.starts_with("Crash kernel")) return SpanKind::kCrashKernel;
  return std::nullopt;
}

/// Replaces what lies in [begin, end) of spans of RAM by a span of this kind.
void mark(std::vector<FrameSpan>& map, std::uint64_t begin, std::uint64_t end, SpanKind kind) {
  std::vector<FrameSpan> marked;
  const auto add = [&marked](std::uint64_t start, std::uint64_t stop, SpanKind of) {
    if (start < stop) marked.push_back({start, stop, of});
  };
  for (const FrameSpan& span : map) {
    const std::uint64_t from = std::clamp(begin, span.begin, span.end);
    const std::uint64_t to = std::clamp(end, from, span.end);
    if (span.kind == kind || (span.kind != SpanKind::kRam && kind != SpanKind::kOffline)) {
      add(span.begin, span.end, span.kind);
      continue;
    }
    add(span.begin, from, span.kind);
    add(from, to, kind);
    add(to, span.end, span.kind);
  }
  map = std::move(marked);
}

/// Sorts the spans, and leaves out what an earlier one has.
void make_disjoint(std::vector<FrameSpan>& map) {
  std::sort(map.begin(), map.end(),
            [](const FrameSpan& a, const FrameSpan& b) { return a.begin < b.begin; });
  std::uint64_t end = 0;
  for (FrameSpan& span : map) {
    span.begin = std::max(span.begin, end);
    end = std::max(end, span.end);
  }
  std::erase_if(map, [](const FrameSpan& span) { return span.begin >= span.end; });
}

std::optional<std::uint64_t> read_number(int folder, const std::string& path, int base) {
  ReadBuffer buffer;
  if (read_at(folder, path.c_str(), buffer) != Access::kRead) return std::nullopt;
  return TextCursor(buffer.text()).number(base);
}

bool is_offline(int folder, const std::string& block) {
  ReadBuffer buffer;
  return read_at(folder, (block + "/state").c_str(), buffer) == Access::kRead &&
         buffer.text().starts_with("offline");
}

}  // namespace

std::vector<FrameSpan> parse_iomem(std::string_view text, std::uint64_t page_size) {
  std::vector<FrameSpan> map;
  std::vector<FrameSpan> kernel;
  std::optional<std::size_t> depth_of_ram;  // the lines below with more are parts of RAM
  TextCursor lines(text);
  while (!lines.at_end()) {
    const auto resource = parse_resource(lines.line());
    if (!resource || resource->last <= resource->first || resource->last > kLastAddress) continue;
    if (depth_of_ram && resource->depth <= *depth_of_ram) depth_of_ram.reset();
    // RAM that was added later is in the resource of its device (virtio-mem, dax).
    const bool is_ram = !depth_of_ram && resource->name.starts_with("System RAM");
    if (is_ram) depth_of_ram = resource->depth;
    // RAM: only whole frames. The kernel: each frame that has a part of it.
    const std::uint64_t below = resource->first / page_size;
    const std::uint64_t above = (resource->last + page_size) / page_size;
    if (is_ram)
      map.push_back({(resource->first + page_size - 1) / page_size,
                     (resource->last + 1) / page_size, SpanKind::kRam});
    else if (const auto kind = part_of_kernel(resource->name); kind && depth_of_ram)
      kernel.push_back({below, above, *kind});
  }
  make_disjoint(map);
  for (const FrameSpan& part : kernel) mark(map, part.begin, part.end, part.kind);
  return map;
}

void mark_offline(std::vector<FrameSpan>& map, std::uint64_t begin, std::uint64_t end) {
  mark(map, begin, end, SpanKind::kOffline);
}

bool mark_offline_blocks(std::vector<FrameSpan>& map, int sys, std::uint64_t page_size) {
  UniqueFd fd = open_dir_at(sys, "devices/system/memory");
  const auto block_bytes =
      fd ? read_number(fd.get(), "block_size_bytes", 16) : std::optional<std::uint64_t>();
  if (!block_bytes) return false;
  const std::uint64_t block = *block_bytes / page_size;
  const int folder = fd.get();
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(::fdopendir(fd.get()), ::closedir);
  if (!entries) return false;
  fd.release();
  while (const dirent* entry = ::readdir(entries.get())) {
    TextCursor name(entry->d_name);
    if (!name.skip("memory") || !is_offline(folder, entry->d_name)) continue;
    if (const auto number = name.number())
      mark_offline(map, *number * block, (*number + 1) * block);
  }
  return true;
}

std::uint64_t frames_of(const std::vector<FrameSpan>& map) {
  std::uint64_t frames = 0;
  for (const FrameSpan& span : map) frames += span.end - span.begin;
  return frames;
}

}  // namespace physmem::collect
