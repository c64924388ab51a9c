// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "analyzer/shape/view.h"
#include "tests/unit/maps_snapshot.h"
#include "tests/unit/snapshot_text.h"

namespace physmem {

/// One line per area: address, flags and region. If its anonymous pages have another region,
/// "/ region" follows.
class RegionText : public Analysis {
 public:
  void on_process(const Process& process) override {
    for (const Area& area : process.areas) {
      text += fmt::format("{:X} {} {}", area.vma.start, flag_symbols(area.marks.flags),
                          name(area.regions.file));
      if (area.regions.anon != area.regions.file)
        text += fmt::format(" / {}", name(area.regions.anon));
      text += '\n';
    }
  }
  std::string text;
};

inline std::string regions_of(const std::string& maps) {
  RegionText regions;
  fold(maps_snapshot("process cat 7\n" + maps), {&regions});
  return "\n" + regions.text;
}

}  // namespace physmem
