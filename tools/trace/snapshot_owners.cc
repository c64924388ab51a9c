// SPDX-License-Identifier: MIT
#include "tools/trace/snapshot_owners.h"

#include "analyzer/parse/open_source.h"
#include "analyzer/parse/snapshot_reader.h"
#include "formats/emit/flags.h"

namespace physmem::record {
namespace {

/// Shared pages have no single owner, and file pages never go to swap.
class OwnersOfPages : public Events {
 public:
  explicit OwnersOfPages(FrameOwner& owners) : owners_(owners) {}

  void on_header(const Header& header) override { header_ = header; }
  void on_task(Task&& task) override {
    const std::uint64_t tgid = task.identity ? task.identity->tgid : task.pid;
    process_ = {static_cast<std::uint32_t>(tgid), static_cast<std::uint32_t>(task.pid), task.comm};
  }
  void on_pages(std::span<const PageRun> runs, const PageSums& /*sums*/) override {
    if (!header_.stable_flags || header_.pfn_hidden) return;
    for_each_page(runs, header_.page_size.bytes, [this](const PageRun& page) {
      if (page.count == 1 && (page.flags & PM_PAGE_ANON) != 0)
        owners_.see(header_.frame(page.value), process_, page.va);
    });
  }
  bool has_owners() const {
    return header_.stable_flags && !header_.pfn_hidden && header_.has_pages;
  }

 private:
  FrameOwner& owners_;
  Header header_;
  FrameOwner::Process process_;
};

}  // namespace

Status read_owners(const std::string& path, FrameOwner& owners) {
  auto source = open_source(path);
  if (!source) return source.error();
  SnapshotReader reader(**source, path == "-" ? "standard input" : path, {});
  OwnersOfPages pages(owners);
  if (auto found = reader.next(pages); !found) return found.error();
  if (!pages.has_owners())
    return Error{
        Error::Kind::kBadInput,
        path + ": found no owners, expected a snapshot of version 2 with pages=all, pfn=shown"};
  return {};
}

}  // namespace physmem::record
