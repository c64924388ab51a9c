// SPDX-License-Identifier: MIT
// Writes a large, realistic snapshot: programs that share libraries, private heaps, a big shared
// segment, 64-bit addresses, and frames in runs as the buddy allocator returns them. The same size
// gives the same bytes.
#include <getopt.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "formats/emit/emit.h"
#include "formats/emit/flags.h"

namespace {

constexpr std::uint64_t kPage = 4096;
constexpr std::uint64_t kBytesAnEntry = 41;
constexpr std::uint64_t kRamPages = std::uint64_t{24} << 18;  // 24 GiB
constexpr std::uint64_t kFileFlags =
    PM_PAGE_REFERENCED | PM_PAGE_UPTODATE | PM_PAGE_LRU | PM_PAGE_MMAP;
constexpr std::uint64_t kAnonFlags =
    PM_PAGE_UPTODATE | PM_PAGE_LRU | PM_PAGE_MMAP | PM_PAGE_ANON | PM_PAGE_SWAPBACKED;

pm_text text(const std::string& s) {
  return {s.data(), s.size()};
}

int write_to_file(void* to, const char* data, std::size_t size) {
  return std::fwrite(data, 1, size, static_cast<std::FILE*>(to)) == size ? 0 : -1;
}

enum class Form {
  kSystem,     ///< as described above
  kOneLine,    ///< one process with one VMA: all entries on one line
  kScattered,  ///< a system whose RAM is in pieces over the whole range of 52 bits
};

/// Allocates frames of RAM, in runs of random length at random places.
class Frames {
 public:
  Frames(std::mt19937_64& random, Form form) : random_(random), form_(form) {}
  std::uint64_t next() {
    if (left_ == 0) {
      left_ = 1 + random_() % 32;
      next_ = 0x1000 + random_() % (kRamPages);
    }
    --left_;
    return form_ == Form::kScattered ? scattered(next_++) : next_++;
  }

 private:
  /// RAM has sections of 128 MiB, the kernel's unit on x86 (SECTION_SIZE_BITS), which are as far
  /// apart as possible.
  static std::uint64_t scattered(std::uint64_t frame) {
    constexpr std::uint64_t kSection = std::uint64_t{1} << (27 - 12);
    constexpr std::uint64_t kSections = kRamPages / kSection + 2;
    constexpr std::uint64_t kDistance =
        (std::uint64_t{1} << (52 - 12)) / kSections / kSection * kSection;
    return frame / kSection * kDistance + frame % kSection;
  }

  std::mt19937_64& random_;
  Form form_;
  std::uint64_t next_ = 0;
  std::uint64_t left_ = 0;
};

/// A file, its pages in the page cache, and how many processes map each page.
struct Library {
  std::string path;
  std::uint64_t inode;
  std::vector<std::uint64_t> frames;
  std::uint64_t users;
};

class Generator {
 public:
  Generator(std::FILE* file, std::uint64_t target, Form form)
      : target_(target), form_(form), frames_(random_, form), buffer_(1 << 20), out_{buffer_.data(),
                                                                                     buffer_.size(),
                                                                                     0,
                                                                                     write_to_file,
                                                                                     file,
                                                                                     0} {
    for (std::uint64_t i = 0; i < 120; ++i) {
      Library& library = libraries_.emplace_back();
      library.path = "/usr/lib/x86_64-linux-gnu/libbench" + std::to_string(i) + ".so.1";
      library.inode = 1000 + i;
      library.users = 1 + random_() % 300;
      library.frames.resize(20 + random_() % 500);
      for (std::uint64_t& frame : library.frames) frame = frames_.next();
    }
    segment_.resize(1 << 16);
    for (std::uint64_t& frame : segment_) frame = frames_.next();
  }

  int operator()() {
    write_header();
    while (totals_.pages * kBytesAnEntry < target_) process();
    pm_emit_end(&out_, &totals_);
    return pm_out_flush(&out_);
  }

 private:
  void write_header();
  void process();
  void area(std::uint64_t start, const std::vector<pm_page>& pages, std::uint64_t size,
            std::uint64_t flags, const Library* file, std::uint64_t offset);
  void file_area(const Library& library, std::size_t from, std::size_t to, std::uint64_t flags,
                 bool is_private);
  void anonymous_area(std::uint64_t resident, std::uint64_t size);

  std::uint64_t target_;
  Form form_;
  std::mt19937_64 random_{20031110};
  Frames frames_;
  std::vector<Library> libraries_;
  std::vector<std::uint64_t> segment_;
  std::vector<char> buffer_;
  pm_out out_;
  pm_end totals_{};
  std::uint64_t va_ = 0;
};

void Generator::write_header() {
  pm_header header{};
  header.arch = "x86_64";
  header.kernel = "6.1.0";
  header.collector = "bench";
  header.pte = header.prot = "none";
  header.count = "mapcount";
  header.pages = "all";
  header.pfn = "shown";
  header.page_size = kPage;
  header.time_ns = 1763683200000000000u;
  header.uptime_ns = 86400000000000u;
  header.hz = 100;
  header.ram_pages = kRamPages;
  header.phys_mask = 0x000FFFFFFFFFF000u;
  pm_emit_header(&out_, &header);
}

void Generator::area(std::uint64_t start, const std::vector<pm_page>& pages, std::uint64_t size,
                     std::uint64_t flags, const Library* file, std::uint64_t offset) {
  const std::string none;
  const auto single = static_cast<std::uint64_t>(
      std::count_if(pages.begin(), pages.end(), [](auto& p) { return p.count == 1; }));
  pm_vma vma{};
  vma.start = start;
  vma.last = start + size - 1;
  vma.resident = pages.size() * kPage;
  vma.flags = flags;
  vma.unit = text(file != nullptr ? file->path : none);
  vma.offset = offset;
  vma.dev_major = file != nullptr ? 8 : 0;
  vma.inode = file != nullptr ? file->inode : 0;
  pm_emit_vma(&out_, &vma);
  const pm_page_counts counts{pages.size(),
                              (flags & PM_VMA_EXEC) != 0 ? pages.size() : 0,
                              (flags & PM_VMA_WRITE) != 0 ? 0 : pages.size(),
                              single,
                              pages.size() - single,
                              0,
                              0};
  pm_emit_page_counts(&out_, &counts);
  pm_emit_pages_begin(&out_);
  pm_emit_pages(&out_, pages.data(), pages.size());
  pm_emit_pages_end(&out_);
  ++totals_.areas;
  totals_.pages += pages.size();
  va_ = start + size;
}

void Generator::file_area(const Library& library, std::size_t from, std::size_t to,
                          std::uint64_t flags, bool is_private) {
  std::vector<pm_page> pages;
  for (std::size_t i = from; i < to; ++i) {
    if (random_() % 8 == 0) continue;  // not touched
    const std::uint64_t frame = is_private ? frames_.next() : library.frames[i];
    pages.push_back({va_ + (i - from) * kPage, frame * kPage, is_private ? 1 : library.users,
                     is_private ? kAnonFlags : kFileFlags});
  }
  area(va_, pages, (to - from) * kPage, flags, &library, from * kPage);
}

void Generator::anonymous_area(std::uint64_t resident, std::uint64_t size) {
  std::vector<pm_page> pages;
  std::uint64_t va = va_;
  for (std::uint64_t i = 0; i < resident; ++i, va += kPage)
    pages.push_back(
        {va, frames_.next() * kPage, 1, kAnonFlags | (i % 64 == 0 ? PM_PAGE_REFERENCED : 0u)});
  area(va_, pages, std::max(size, resident) * kPage, PM_VMA_READ | PM_VMA_WRITE, nullptr, 0);
}

void Generator::process() {
  const std::uint64_t pid = 100 + totals_.tasks;
  const std::string comm = "bench" + std::to_string(pid % 40);
  const std::string cgroup = "/system.slice/bench" + std::to_string(pid % 40) + ".service";
  pm_task task{text(comm), pid, pid, pid % 8, 1000, 3,    0, 0,  12, 7,
               pid,        pid, 1,   0,       true, 1000, 3, 12, 7,  text(cgroup)};
  pm_emit_task(&out_, &task);
  ++totals_.tasks;
  va_ = 0x555500000000u + random_() % 4096 * kPage;
  if (form_ == Form::kOneLine) return anonymous_area(target_ / kBytesAnEntry + 1, 0);
  anonymous_area(500 + random_() % 12000, 16384);
  va_ = 0x7F1200000000u + random_() % 4096 * kPage;
  for (std::size_t i = random_() % 4; i < libraries_.size(); i += 1 + random_() % 8) {
    const Library& library = libraries_[i];
    const std::size_t pages = library.frames.size();
    file_area(library, 0, pages / 8, PM_VMA_READ, false);
    file_area(library, pages / 8, pages * 6 / 8, PM_VMA_READ | PM_VMA_EXEC, false);
    file_area(library, pages * 6 / 8, pages * 7 / 8, PM_VMA_READ, false);
    file_area(library, pages * 7 / 8, pages, PM_VMA_READ | PM_VMA_WRITE, true);
    anonymous_area(2, 4);
    va_ += 16 * kPage;
  }
  if (pid % 50 == 0)
    file_area({"/dev/shm/segment", 77, segment_, 20}, 0, segment_.size(),
              PM_VMA_READ | PM_VMA_WRITE | PM_VMA_SHARED, false);
}

constexpr const char* kHelp =
    R"(generate-snapshot: writes a large, realistic snapshot

USAGE
  generate-snapshot [OPTION]... MIB [FILE]

Writes about MIB mebibytes to FILE, or to standard output. The same size gives the same bytes.

OPTIONS
      --one-line   one process with one VMA, whose pages are all on one line
                   [default: a system of many processes]
      --scattered  RAM in pieces of 128 MiB, spread over 52 bits of address
                   [default: from address 0 on]
  -h, --help       print this page

EXIT STATUS
  0 done   2 wrong usage   4 cannot write
)";

int refuse() {
  std::fputs(
      "generate-snapshot: expected MIB, at least 1, and at most one FILE "
      "(see generate-snapshot --help)\n",
      stderr);
  return 2;
}

}  // namespace

int main(int argc, char* argv[]) {
  enum { kOneLine = 256, kScattered };
  static constexpr option kLong[] = {{"one-line", no_argument, nullptr, kOneLine},
                                     {"scattered", no_argument, nullptr, kScattered},
                                     {"help", no_argument, nullptr, 'h'},
                                     {}};
  Form form = Form::kSystem;
  for (int c = 0; (c = getopt_long(argc, argv, "h", kLong, nullptr)) != -1;) {
    if (c == 'h') return std::fputs(kHelp, stdout) < 0 ? 4 : 0;
    if (c == '?') return refuse();
    form = c == kOneLine ? Form::kOneLine : Form::kScattered;
  }
  const unsigned long long mib = optind < argc ? std::strtoull(argv[optind], nullptr, 10) : 0;
  if (mib == 0 || optind + 2 < argc) return refuse();
  std::FILE* const file = optind + 1 < argc ? std::fopen(argv[optind + 1], "w") : stdout;
  if (file == nullptr || Generator(file, mib << 20, form)() != 0 || std::fclose(file) != 0) {
    std::perror("generate-snapshot");
    return 4;
  }
  return 0;
}
