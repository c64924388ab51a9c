// SPDX-License-Identifier: MIT
#include "paging/source/event_records.h"
#include "paging/source/file_source.h"
#include "paging/source/open_records.h"

namespace physmem {

Result<std::unique_ptr<RecordSource>> open_replay(const std::string& path, double speed) {
  auto file = FileSource::open(path, {.speed = speed});
  if (!file) return file.error();
  return std::unique_ptr<RecordSource>(std::make_unique<EventRecords>(std::move(*file)));
}

}  // namespace physmem
