// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <set>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/unit/kernel-image/fake_memory.h"
#include "tests/unit/kernel-image/fake_types.h"

namespace physmem::crash {

/// Bits of page-table entries on x86.
constexpr std::uint64_t kPresent = 0x1;
constexpr std::uint64_t kUser = 0x67;  // present, writable, user, accessed, dirty
constexpr std::uint64_t kHuge = 0x80;
constexpr std::uint64_t kNone = 0x100;  // PROT_NONE

constexpr std::uint64_t present(std::uint64_t pfn, std::uint64_t bits = kUser) {
  return pfn << 12 | bits;
}
constexpr std::uint64_t huge(std::uint64_t pfn) {
  return present(pfn, kUser | kHuge);
}
/// The frame number is inverted. For a huge page, the bits below its size are 0.
constexpr std::uint64_t prot_none(std::uint64_t pfn, std::uint64_t pages = 1) {
  return (~(pfn << 12) & 0x000FFFFFFFFFF000 & ~(pages * kPage - 1)) | kNone;
}
constexpr std::uint64_t swapped(std::uint64_t type, std::uint64_t slot) {
  return type << 59 | ((~slot << 14) >> 5 & ~std::uint64_t{0x1FF});
}

/// Bits of vm_flags.
constexpr std::uint64_t kRead = 0x1, kWrite = 0x2, kExec = 0x4, kMayShare = 0x80,
                        kGrowsDown = 0x100, kPfnMap = 0x400, kHugetlb = 0x400000;

/// Values of page->mapping.
constexpr std::uint64_t kFileMapping = 0xFFFF888000123400, kAnonMapping = 0xFFFF888000123401,
                        kKsmMapping = 0xFFFF888000123403;

/// The basic facts of a task. put() sets other members.
struct FakeTask {
  std::uint64_t pid = 0;
  std::string comm = "task";
  std::uint64_t flags = 0;
  std::uint64_t uid = 1000;
  std::uint64_t parent = 0;  ///< task_struct of the parent; 0: init_task
  bool has_mm = true;
};

struct FakeProcess {
  std::uint64_t task = 0, signal = 0, mm = 0;
};

/// A dentry as seen through a mount.
struct Place {
  std::uint64_t mount = 0, dentry = 0;
};

struct FakeFile {
  std::uint64_t inode = 0;  ///< 0: the next unused number
  std::uint64_t device = std::uint64_t{0xFE} << 20 | 1;
  std::uint64_t magic = 0xEF53;  ///< of the file system; ext4
};

struct FakeArea {
  std::uint64_t start = 0, end = 0;
  std::uint64_t flags = kRead | kWrite;
  std::uint64_t file = 0;
  std::uint64_t pgoff = 0;
  std::uint64_t prot = 0x25;
};

struct FakeFrame {
  std::int64_t mapcount = 1;
  std::vector<std::string> flags = {"PG_uptodate", "PG_lru", "PG_swapbacked"};
  std::uint64_t mapping = kAnonMapping;
};

/// Start of the vmalloc range.
constexpr std::uint64_t kMapped = 0xFFFFC90000000000;

/// A simulated kernel in memory. Tests build it step by step; the walkers access it through dump().
class FakeKernel {
 public:
  explicit FakeKernel(Era era = Era::k6_1, unsigned levels = 4, std::uint32_t seed = 1);
  FakeKernel(const FakeKernel&) = delete;
  FakeKernel& operator=(const FakeKernel&) = delete;

  FakeTypes types;
  FakeMemory memory;
  std::map<std::string, std::uint64_t> symbols;
  std::set<std::string> asked;  ///< names that dump().symbol() was called with
  bool reads_lists = false;                           ///< as a running kernel through BPF
  std::uint64_t swap_types = 23;                      ///< elements of swap_info
  std::uint64_t frames = FakeMemory::kBytes / kPage;  ///< number of frames with a struct page
  std::set<std::uint64_t> excluded_frames;            ///< frames whose contents the dump lacks
  /// Addresses from kMapped on are translated by the page tables of init_mm only.
  bool has_mapped_addresses = false;
  bool with_ram = false;  ///< snapshot_of() describes the whole of RAM
  bool is_interrupted = false;
  /// The number of is_interrupted() calls before the interruption; -1: no interruption.
  std::int64_t checks_left = -1;

  std::uint64_t allocate(std::string_view type);
  /// Writes a member. FakeTypes::field() defines the format of `path`.
  void put(std::uint64_t object, std::string_view path, std::uint64_t value);
  std::uint64_t get(std::uint64_t object, std::string_view path);
  /// Appends the node to a list. If `head` is 0, the node becomes the head of an empty list.
  void append(std::uint64_t head, std::uint64_t node);
  std::uint64_t at(std::uint64_t object, std::string_view path) const {
    return object + types.offset(path);
  }

  // Tasks.
  FakeProcess add_process(const FakeTask& task);
  std::uint64_t add_thread(const FakeProcess& process, const FakeTask& task);
  std::uint64_t init_task() const { return symbols.at("init_task"); }
  std::uint64_t cgroup(std::string_view path, bool is_unified = true);
  void put_in_cgroup(std::uint64_t task, std::uint64_t unified, std::uint64_t memory = 0);

  // Files. Missing path components are created.
  Place root() const { return root_; }
  Place enter(Place folder, std::string_view name);
  Place walk(std::string_view path);
  Place mount(Place over, std::string_view visible_root = "/");
  std::uint64_t file_at(Place place, const FakeFile& file = {});
  std::uint64_t file(std::string_view path, const FakeFile& facts = {}) {
    return file_at(walk(path), facts);
  }
  /// A file outside of a file system, such as a memfd or a pipe. The function `dname` forms its
  /// name, by the file system's magic number where that is known.
  std::uint64_t nameless_file(std::string_view name, std::string_view dname,
                              const FakeFile& facts = {});

  // Address spaces.
  std::uint64_t add_mm();
  std::uint64_t add_area(std::uint64_t mm, const FakeArea& area);
  std::uint64_t area(std::uint64_t mm, std::size_t i) const { return areas_.at(mm).at(i).second; }
  /// Kernel address of the table that maps `va` at `level`. Creates missing tables.
  std::uint64_t table(std::uint64_t mm, std::uint64_t va, unsigned level);
  void set_entry(std::uint64_t mm, std::uint64_t va, std::uint64_t entry, unsigned level = 0);
  void map_page(std::uint64_t mm, std::uint64_t va, std::uint64_t pfn, const FakeFrame& frame = {});
  /// Writes the list and the tree of areas. Call it after all areas are added.
  void finish();

  // Frames.
  std::uint64_t bits(const std::vector<std::string>& flags) const;
  std::uint64_t page(std::uint64_t pfn) const { return FakeMemory::kStructPages + pfn * 64; }
  void set_frame(std::uint64_t pfn, const FakeFrame& frame = {});
  void make_compound(std::uint64_t head, std::uint64_t pages, const FakeFrame& frame,
                     std::int64_t entire = 0, const std::vector<std::string>& second_flags = {});

  pm_dump dump();

 private:
  void read_by_lists(pm_dump& dump);
  using Slot = std::pair<std::uint64_t, std::uint64_t>;  // last address or index, content

  void make_system();
  void make_clock();
  std::uint64_t new_task(const FakeTask& task, std::uint64_t tgid);
  std::uint64_t new_dentry(std::uint64_t parent, std::string_view name);
  std::uint64_t new_inode(const FakeFile& facts);
  void write_list(std::uint64_t mm);
  void write_tree(std::uint64_t mm);
  std::vector<Slot> write_nodes(const std::vector<Slot>& entries, bool is_leaf, std::uint64_t mark);

  unsigned levels_;
  std::map<std::uint64_t, std::vector<std::pair<std::uint64_t, std::uint64_t>>>
      areas_;                                                                // start, vma
  std::map<std::string, std::uint64_t> kernfs_;                              // by path
  std::map<std::pair<std::uint64_t, std::string>, std::uint64_t> dentries_;  // by parent and name
  std::map<std::pair<std::uint64_t, std::uint64_t>, Place> mounts_;          // by place
  Place root_;
  std::uint64_t root_cgroup_ = 0;
  std::uint64_t next_inode_ = 100;
};

/// A kernel, finished and opened.
class Opened {
 public:
  explicit Opened(FakeKernel& kernel);
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;
  ~Opened();

  pm_image* operator->() const { return image_.get(); }
  pm_image* get() const { return image_.get(); }
  pm_layout& layout() { return layout_; }
  const std::string& why() const { return why_; }  ///< the error; empty if the image is open

 private:
  pm_dump dump_;
  pm_layout layout_{};
  std::unique_ptr<pm_image> image_;
  std::string why_;
};

struct Snapshot {
  int error = 0;
  std::string header;  ///< first line
  std::string text;    ///< other lines
  pm_end end{};
  pm_notes notes{};
};

/// The output fails with -ENOSPC if the text exceeds `max_bytes`.
Snapshot snapshot_of(FakeKernel& kernel, const std::vector<__u64>& pids = {},
                     bool without_pages = false, std::size_t max_bytes = std::size_t{1} << 32);

}  // namespace physmem::crash
