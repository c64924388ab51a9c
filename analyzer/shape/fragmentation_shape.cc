// SPDX-License-Identifier: MIT
#include "analyzer/shape/fragmentation_shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

#include "analyzer/model/frame_classes.h"
#include "analyzer/shape/map_width.h"
#include "analyzer/shape/owner_words.h"

namespace physmem {
namespace {

using Kind = Column::Kind;

constexpr std::size_t kFewRows = 10, kFewProcesses = 5;
constexpr std::size_t kCellsInLine = 64;

struct UseWord {
  char letter;  ///< in a text map
  const char* word;
  FrameClass colour;  ///< the class whose colour it has
};

constexpr std::array<UseWord, kBlockUses> kUses{
    {{'.', "free", PM_RAM_FREE},
     {'f', "file cache", PM_RAM_FILE},
     {'s', "shared memory", PM_RAM_SHMEM},
     {'a', "anonymous", PM_RAM_ANON},
     {'h', "hugetlb", PM_RAM_HUGETLB},
     {'b', "slab", PM_RAM_SLAB},
     {'k', "other kernel memory", PM_RAM_VMALLOC},
     {'?', "not known", PM_RAM_UNMARKED},
     {'i', "kernel image, reserved", PM_RAM_KERNEL_CODE}}};

const UseWord& use_word(BlockUse use) {
  return kUses[static_cast<std::size_t>(use)];
}

/// "2 MiB", of a power of two.
std::string size_text(std::uint64_t bytes) {
  const std::uint64_t kib = bytes >> 10;
  if (kib >= 1 << 20) return fmt::format("{} GiB", kib >> 20);
  return kib >= 1 << 10 ? fmt::format("{} MiB", kib >> 10) : fmt::format("{} KiB", kib);
}

std::string block_size(std::size_t order, const View& view) {
  return size_text(view.header.page_size.bytes << order);
}

FreeMemory free_of_all(const PageBlocks& blocks) {
  FreeMemory sum;
  for (const PageBlocks::ZoneFree& zone : blocks.zones()) {
    for (std::size_t order = 0; order < FreeMemory::kOrders; ++order)
      sum.pages[order] += zone.free.pages[order];
  }
  return sum;
}

/// The cell of one block. A partly used block never looks entirely free.
BlockMap::Cell cell_of(const PageBlock& block) {
  const auto share =
      static_cast<std::uint8_t>(percent(std::uint64_t{block.free}, std::uint64_t{block.ram}));
  return {static_cast<std::uint8_t>(block.use), share, block.unmovable != 0, false};
}

char letter_of(const BlockMap::Cell& cell) {
  if (cell.is_hole) return ' ';
  const char letter = kUses[cell.use].letter;
  return cell.has_unmovable && letter >= 'a' ? static_cast<char>(letter - 'a' + 'A') : letter;
}

std::string zone_heading(const PageBlocks::ZoneFree& zone) {
  if (!zone.node) return "outside of all zones";
  return fmt::format("node {}, zone {}", *zone.node, zone.zone);
}

Cell node_cell(const PageBlocks::ZoneFree& zone) {
  return zone.node ? Cell(*zone.node) : Cell();
}

/// Runs of blocks that are neighbours, of one zone.
struct Stretch {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// A gap of up to a line stays in its stretch, as holes.
std::vector<Stretch> stretches(const std::vector<PageBlock>& blocks) {
  std::vector<Stretch> stretches;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const bool goes_on = i != 0 && blocks[i].zone == blocks[i - 1].zone &&
                         blocks[i].number - blocks[i - 1].end() < kCellsInLine;
    if (!goes_on) stretches.push_back({i, i});
    stretches.back().end = i + 1;
  }
  return stretches;
}

/// Takes the blocks of a stretch, cell by cell.
class CellReader {
 public:
  CellReader(const std::vector<PageBlock>& blocks, const Stretch& stretch, unsigned shift)
      : blocks_(blocks),
        end_(stretch.end),
        shift_(shift),
        at_(stretch.begin),
        number_(blocks[at_].number) {}

  bool at_end() const { return at_ == end_; }
  /// Number of the cell that is next.
  std::uint64_t cell() const { return number_ >> shift_; }
  /// The block that represents the cell: its use is the most frequent one of the cell's blocks.
  PageBlock next();

 private:
  const std::vector<PageBlock>& blocks_;
  std::size_t end_;
  unsigned shift_;
  std::size_t at_;        ///< in blocks_
  std::uint64_t number_;  ///< of the next block, in blocks_[at_]
};

PageBlock CellReader::next() {
  std::array<std::uint64_t, kBlockUses> uses{};
  std::uint64_t ram = 0, free = 0, unmovable = 0;
  PageBlock sum = blocks_[at_];
  for (const std::uint64_t cell = this->cell(); at_ != end_ && this->cell() == cell;) {
    const PageBlock& block = blocks_[at_];
    const std::uint64_t stop = std::min(block.end(), (cell + 1) << shift_);
    const std::uint64_t count = stop - number_;
    uses[static_cast<std::size_t>(block.use)] += count * (block.ram - block.free);
    ram += count * block.ram;
    free += count * block.free;
    unmovable += block.unmovable;
    number_ = stop;
    if (stop == block.end() && ++at_ != end_) number_ = blocks_[at_].number;
  }
  sum.ram = static_cast<std::uint32_t>(std::min<std::uint64_t>(ram, ~std::uint32_t{0}));
  sum.free = static_cast<std::uint32_t>(std::min<std::uint64_t>(free, sum.ram));
  sum.unmovable = unmovable != 0 ? 1 : 0;
  const auto most = std::max_element(uses.begin() + 1, uses.end());
  sum.use = *most == 0 ? BlockUse::kFree : static_cast<BlockUse>(most - uses.begin());
  return sum;
}

}  // namespace

std::string fragmentation_line(const PageBlocks& blocks, const View& view) {
  if (!blocks.is_known()) return "unknown, " + std::string(kNoFrames);
  const FreeMemory free = free_of_all(blocks);
  const std::size_t order = blocks.order();
  std::string text = human_size(free.total(), view.header.page_size);
  if (blocks.has_orders())
    text += fmt::format(", {:.2f} % of it in blocks of {} or more",
                        percent(free.of_at_least(order), free.total()), block_size(order, view));
  const HugeRoom room = blocks.huge_rooms().front();
  text += fmt::format(
      ". Of {} blocks of {}, {} are free. By moving pages there would be {}, by reclaim and swap "
      "{}",
      room.blocks, block_size(order, view), room.ready, room.compacted, room.movable);
  if (room.not_known != 0)
    text += fmt::format("; {} are not known, because {}", counted(room.not_known, "block"),
                        view.header.ram_by == "proc"
                            ? "--ram=proc does not show what is in them"
                            : "memory without a class may be free and in no zone yet");
  return text;
}

std::string no_zone_line(std::uint64_t pages, const View& view) {
  return fmt::format(
      "A further {} are free (MemFree), but in no zone yet: the kernel adds this RAM to a zone "
      "when it needs it",
      human_size(pages, view.header.page_size));
}

Table free_blocks_table(const PageBlocks& blocks, const View& view) {
  Table table{{"free-blocks",
               "Free blocks by zone and size",
               {{"Node"},
                {"Zone", Kind::kText},
                {"Order"},
                {"Block", Kind::kText},
                {"Blocks"},
                {"Size", Kind::kSize},
                {"% of free", Kind::kNumber, "percent_of_free"},
                {"% too small", Kind::kNumber, "percent_too_small"}}},
              {}};
  for (const PageBlocks::ZoneFree& zone : blocks.zones()) {
    const std::uint64_t all = zone.free.total();
    const std::size_t last = std::max(zone.free.largest(), blocks.order());
    for (std::size_t order = 0; order < FreeMemory::kOrders; ++order) {
      const std::uint64_t pages = zone.free.pages[order];
      if (pages == 0 && (order > last || !blocks.has_orders())) continue;
      const bool is_known = order != FreeMemory::kOrders - 1;
      table.rows.push_back(
          {node_cell(zone), zone.zone, is_known ? Cell(static_cast<std::uint64_t>(order)) : Cell(),
           is_known ? block_size(order, view) : "unknown", is_known ? Cell(pages >> order) : Cell(),
           pages, percent(pages, all),
           is_known ? Cell(percent(all - zone.free.of_at_least(order), all)) : Cell()});
    }
  }
  if (!blocks.has_orders() && !table.rows.empty())
    table.notes.emplace_back(
        "by /proc, the sizes of free blocks are not known; --ram=bpf, kcore or kmod, or a dump, "
        "shows them");
  return table;
}

Table huge_rooms_table(const PageBlocks& blocks, const View& view) {
  Table table{{"huge-pages",
               "Room for huge pages",
               {{"Size", Kind::kText},
                {"Blocks"},
                {"Hugetlb"},
                {"Free"},
                {"By moving", Kind::kNumber, "by_moving"},
                {"By reclaim", Kind::kNumber, "by_reclaim"},
                {"Unmovable"},
                {"Not known", Kind::kNumber, "not_known"}}},
              {}};
  for (const HugeRoom& room : blocks.huge_rooms())
    if (room.blocks != 0)
      table.rows.push_back({block_size(room.order, view), room.blocks, room.in_use, room.ready,
                            room.compacted, room.movable,
                            room.blocks - room.movable - room.in_use - room.not_known,
                            room.not_known});
  return table;
}

Table blockers_table(const PageBlocks& blocks, const View& /*view*/, bool has_all) {
  Table table{{"blockers",
               "What alone makes pageblocks unmovable",
               {{"Class", Kind::kText},
                {"Blocks"},
                {"Size", Kind::kSize},
                {"Pages per block", Kind::kNumber, "pages_per_block"},
                {"Owner", Kind::kText}}},
              {}};
  const std::vector<Blocker> rows = blocks.blockers();
  const std::size_t shown = has_all ? rows.size() : std::min(rows.size(), kFewRows);
  for (std::size_t i = 0; i < shown; ++i)
    table.rows.push_back({class_cell(rows[i].use), rows[i].blocks, rows[i].pages,
                          static_cast<double>(rows[i].pages) / static_cast<double>(rows[i].blocks),
                          rows[i].owner});
  if (rows.size() > shown)
    table.notes.push_back(
        fmt::format("and {}; --full lists them", counted(rows.size() - shown, "owner")));
  return table;
}

Table process_huge_pages_table(const ProcessHugePages& processes, bool has_all) {
  Table table{{"process-huge-pages",
               "Processes with most anonymous memory outside of huge pages",
               {{"PID"},
                {"Command", Kind::kText},
                {"Anonymous", Kind::kSize},
                {"Huge", Kind::kSize},
                {"% huge", Kind::kNumber, "percent_huge"},
                {"Huge of files", Kind::kSize, "huge_of_files"}}},
              {}};
  const std::vector<ProcessHugePages::Row> rows = processes.rows();
  const std::size_t shown = has_all ? rows.size() : std::min(rows.size(), kFewProcesses);
  for (const ProcessHugePages::Row& row : std::span(rows).first(shown))
    table.rows.push_back(
        {row.pid, row.name, row.anonymous, processes.is_known() ? Cell(row.huge.anon) : Cell(),
         processes.is_known() ? Cell(percent(row.huge.anon, row.anonymous)) : Cell(),
         processes.is_known() ? Cell(row.huge.file) : Cell()});
  if (rows.size() > shown)
    table.notes.push_back(
        fmt::format("and {}; --full lists them", counted(rows.size() - shown, "process")));
  return table;
}

Table page_blocks_table(const PageBlocks& blocks, const View& view) {
  Table table{{"page-blocks",
               "Pageblocks of " + block_size(blocks.order(), view),
               {{"Node"},
                {"Zone", Kind::kText},
                {"Frame", Kind::kHex},
                {"Blocks"},
                {"Use", Kind::kText},
                {"RAM", Kind::kSize},
                {"Free", Kind::kSize},
                {"Movable", Kind::kSize},
                {"Unmovable", Kind::kSize},
                {"Not known", Kind::kSize},
                {"Hugetlb", Kind::kSize}}},
              {}};
  for (const PageBlock& block : blocks.blocks()) {
    const bool has_zone = block.zone < blocks.zones().size();
    table.rows.push_back(
        {has_zone ? node_cell(blocks.zones()[block.zone]) : Cell(),
         has_zone ? blocks.zones()[block.zone].zone : "", block.number << blocks.order(),
         block.count, std::string(use_word(block.use).word), std::uint64_t{block.ram},
         std::uint64_t{block.free}, std::uint64_t{block.movable()}, std::uint64_t{block.unmovable},
         std::uint64_t{block.not_known}, std::uint64_t{block.huge}});
  }
  return table;
}

BlockMap block_map(const PageBlocks& blocks, const View& view, std::size_t max_cells) {
  const std::vector<PageBlock>& all = blocks.blocks();
  std::uint64_t count = 0;
  for (const PageBlock& block : all) count += block.count;
  unsigned shift = 0;
  while (count >> shift > max_cells) ++shift;
  BlockMap map;
  map.subtitle = origin(view.header);
  map.cell_bytes = (std::uint64_t{1} << (blocks.order() + shift)) * view.header.page_size.bytes;
  map.title = "RAM in blocks of " + size_text(map.cell_bytes);
  for (const UseWord& use : kUses) map.uses.push_back({use.word, facts_of(use.colour).colour});
  std::uint16_t zone = 0xFFFF;
  for (const Stretch& stretch : stretches(all)) {
    const PageBlock& first = all[stretch.begin];
    BlockMap::Part part;
    if (first.zone != zone && first.zone < blocks.zones().size())
      part.heading = zone_heading(blocks.zones()[first.zone]);
    zone = first.zone;
    part.address = (first.number >> shift) * map.cell_bytes;
    for (CellReader reader(all, stretch, shift); !reader.at_end();) {
      part.cells.resize(reader.cell() - (first.number >> shift), {0, 0, false, true});
      part.cells.push_back(cell_of(reader.next()));
    }
    map.parts.push_back(std::move(part));
  }
  return map;
}

std::vector<std::string> block_map_lines(const BlockMap& map, std::size_t columns) {
  const std::size_t in_line = columns == 0 ? kCellsInLine : map_cells(columns, 0);
  std::string legend;
  for (const UseWord& use : kUses)
    legend += fmt::format("{}{} {}", legend.empty() ? "" : ", ", use.letter, use.word);
  std::vector<std::string> lines{
      fmt::format("RAM in blocks of {}, {} per line: what most of the used pages of a block are.",
                  size_text(map.cell_bytes), in_line),
      legend + ".", "Upper case: the block has pages that cannot be moved."};
  for (const BlockMap::Part& part : map.parts) {
    if (!part.heading.empty()) lines.push_back(part.heading);
    for (std::size_t begin = 0; begin < part.cells.size(); begin += in_line) {
      std::string cells;
      for (std::size_t i = begin; i < std::min(part.cells.size(), begin + in_line); ++i)
        cells += letter_of(part.cells[i]);
      lines.push_back(fmt::format("{:{}}{:010X} |{}|", "", columns == 0 ? 4 : 1,
                                  part.address + begin * map.cell_bytes, cells));
    }
  }
  return lines;
}

}  // namespace physmem
