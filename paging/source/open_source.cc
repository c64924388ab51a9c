// SPDX-License-Identifier: MIT
#include "paging/source/open_source.h"

#include "paging/source/local_source.h"
#include "paging/source/open_records.h"

namespace physmem {

Result<std::unique_ptr<EventSource>> open_event_source(std::string_view name) {
  const std::optional<SourceChoice> choice = source_choice(name);
  if (!choice)
    return Error{Error::Kind::kUsage,
                 "--source: found \"" + std::string(name) + "\", expected " + kSourceNames};
  auto records = open_records(*choice);
  if (!records) return records.error();
  return std::unique_ptr<EventSource>(std::make_unique<LocalSource>(std::move(*records)));
}

}  // namespace physmem
