// SPDX-License-Identifier: MIT
// Questions about what fills RAM: --ask cache, fragmentation, slab, kernel.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/analyze/diff/ram_diff.h"
#include "analyzer/analyze/process/file_map.h"
#include "analyzer/analyze/process/huge_mappings.h"
#include "analyzer/analyze/ram/huge_page_facts.h"
#include "analyzer/analyze/ram/kernel_use.h"
#include "analyzer/analyze/ram/page_blocks.h"
#include "analyzer/analyze/ram/page_cache.h"
#include "analyzer/analyze/ram/slab_use.h"
#include "analyzer/cli/split_question.h"
#include "analyzer/shape/cache_shape.h"
#include "analyzer/shape/shapes.h"

namespace physmem {

/// A question about R: lines.
class RamQuestion : public Question {
 public:
  explicit RamQuestion(const QuestionContext& context)
      : is_full_(context.options.is_full),
        top_(context.options.use.top),
        unit_(context.options.use.unit) {}
  bool data_is_missing(const Header& header) const override {
    return header.ram != Header::Ram::kAll || !missing().empty();
  }

 protected:
  bool is_full() const { return is_full_; }
  /// Rows of each table of text; nothing: the usual number.
  std::optional<std::size_t> top() const { return top_; }
  /// The chart in the unit that the user chose, or MiB.
  BarChart in_unit(BarChart chart) const {
    chart.unit = unit_.value_or(SizeUnit::kMib);
    return chart;
  }
  /// Whether further tables follow: CSV writes them into further files, so only on request.
  bool has_further_tables(Format format) const { return format != Format::kCsv || is_full_; }

 private:
  bool is_full_;
  std::optional<std::size_t> top_;
  std::optional<SizeUnit> unit_;
};

class CacheQuestion : public SplitQuestion<PageCache, RamQuestion> {
 public:
  explicit CacheQuestion(const QuestionContext& context)
      : SplitQuestion(context, PageCache(context.options.units)),
        words_(context.options.words),
        has_payers_(!context.options.selection.payers.empty()) {}
  bool needs_areas() const override;
  bool needs_pages() const override { return false; }
  bool data_is_missing(const Header& header) const override;
  std::string failure() const override;
  void answer(Printer& printer, const View& view) override;
  std::vector<std::string> missing() const override;

 private:
  bool begin_text(Printer& printer, const View& view) const;
  std::vector<Table> tables(const View& view, Extent extent) const;

  std::vector<std::string> words_;
  bool has_payers_;
};

/// --ask cache --maps PATH.
class FileMapQuestion : public RamQuestion {
 public:
  explicit FileMapQuestion(const QuestionContext& context)
      : RamQuestion(context), map_(context.options.map_path) {}
  Analysis& analysis() override { return map_; }
  bool needs_areas() const override { return false; }
  void answer(Printer& printer, const View& view) override;
  std::vector<std::string> missing() const override;

 private:
  void write_text(Printer& printer, const View& view) const;
  PageMap picture(const View& view) const;

  FileMap map_;
};

/// --ask cache OLD NEW.
class CacheChangeQuestion : public RamQuestion {
 public:
  using RamQuestion::RamQuestion;
  Analysis& analysis() override { return diff_; }
  bool needs_areas() const override { return false; }
  bool data_is_missing(const Header& header) const override {
    return header.ram != Header::Ram::kAll;
  }
  void answer(Printer& printer, const View& view) override;
  std::vector<std::string> missing() const override;

 private:
  RamDiff diff_;
};

std::unique_ptr<Question> make_cache_question(const QuestionContext& context);

class FragmentationQuestion : public SplitQuestion<PageBlocks, RamQuestion> {
 public:
  using SplitQuestion::SplitQuestion;
  std::vector<Analysis*> analyses() override {
    std::vector<Analysis*> all = SplitQuestion::analyses();
    all.push_back(&facts_);
    all.push_back(&processes_);
    return all;
  }
  bool needs_areas() const override { return false; }
  void answer(Printer& printer, const View& view) override;

 private:
  HugePageFacts facts_;
  ProcessHugePages processes_;
};

/// For a series, it shows how slab caches grow.
class SlabQuestion : public SplitQuestion<SlabUse, RamQuestion> {
 public:
  using SplitQuestion::SplitQuestion;
  bool needs_areas() const override { return false; }
  bool data_is_missing(const Header& header) const override {
    return header.ram == Header::Ram::kNone;
  }
  void answer(Printer& printer, const View& view) override;
  std::vector<std::string> missing() const override;
};

class KernelQuestion : public SplitQuestion<KernelUse, RamQuestion> {
 public:
  using SplitQuestion::SplitQuestion;
  bool needs_areas() const override { return false; }
  void answer(Printer& printer, const View& view) override;
};

}  // namespace physmem
