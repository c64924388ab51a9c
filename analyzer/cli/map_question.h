// SPDX-License-Identifier: MIT
// --vma and --units: maps. Those of --vma are written while the snapshot is read, because they can
// be larger than memory.
#pragma once

#include "analyzer/analyze/process/unit_map.h"
#include "analyzer/analyze/process/vma_map.h"
#include "analyzer/cli/question.h"

namespace physmem {

class VmaQuestion : public Question, private VmaMapSink {
 public:
  explicit VmaQuestion(const QuestionContext& context)
      : printer_(context.printer), view_(context.view), map_(*this) {}
  Analysis& analysis() override { return map_; }
  void answer(Printer& printer, const View& view) override;
  bool answers_while_reading() const override { return true; }

 private:
  void area(const Process& process, const Area& area) override;
  void line(const Process& process, const Area& area, const MapLine& line) override;
  void process_end(const Process& process, const ProcessUse& use) override;
  void begin();

  Printer& printer_;
  const View& view_;
  VmaMap map_;
  bool has_begun_ = false;
  bool in_process_ = false;
  Format format_ = Format::kText;
  PageMap picture_;
  std::size_t picture_lines_ = 0;
};

class UnitsQuestion : public Question {
 public:
  Analysis& analysis() override { return map_; }
  void answer(Printer& printer, const View& view) override;

 private:
  UnitMap map_;
};

}  // namespace physmem
