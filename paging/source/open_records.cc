// SPDX-License-Identifier: MIT
#include "paging/source/open_records.h"

#include <unistd.h>

#include <array>

#include "paging/source/bpf_records.h"
#include "paging/source/device_records.h"

namespace physmem {
namespace {

struct Opener {
  SourceChoice choice;
  const char* name;
  Result<std::unique_ptr<RecordSource>> (*open)();
};

Result<std::unique_ptr<RecordSource>> open_kmod() {
  return DeviceRecords::open();
}

Result<std::unique_ptr<RecordSource>> open_bpf() {
  return open_bpf_records({.excluded_tgid = static_cast<std::uint32_t>(::getpid())});
}

/// In the order tried by kAuto.
constexpr std::array kOpeners{
    Opener{SourceChoice::kKmod, "kmod", open_kmod},
    Opener{SourceChoice::kBpf, "bpf", open_bpf},
};

}  // namespace

std::optional<SourceChoice> source_choice(std::string_view name) {
  if (name == "auto") return SourceChoice::kAuto;
  for (const Opener& opener : kOpeners)
    if (name == opener.name) return opener.choice;
  return {};
}

Result<std::unique_ptr<RecordSource>> open_records(SourceChoice choice) {
  std::string tried;
  for (const Opener& opener : kOpeners) {
    if (choice != SourceChoice::kAuto && choice != opener.choice) continue;
    auto records = opener.open();
    if (records) return records;
    tried += (tried.empty() ? "" : "; ") + std::string(opener.name) + ": " + records.error().text;
  }
  return Error{Error::Kind::kIo, "no source of paging events: " + tried};
}

}  // namespace physmem
