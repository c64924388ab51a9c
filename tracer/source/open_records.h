// SPDX-License-Identifier: MIT
// Which source of records this machine has.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "tracer/source/record_source.h"

namespace physmem {

enum class SourceChoice { kAuto, kKmod, kBpf };

/// By its name, as options and configurations have it.
std::optional<SourceChoice> source_choice(std::string_view name);
/// For help texts and messages: "auto, kmod or bpf".
inline constexpr const char* kSourceNames = "auto, kmod or bpf";

/// kAuto: the module's device, and where that cannot be opened a BPF program, if this program was
/// built with one. The error says what was tried, why it did not do, and how to get it.
///
/// tracefs is no source: kprobe events there have neither the fault's address before Linux 6.12
/// (BTF arguments) nor what lasts from the entry of a fault to its return, which tells a hit from a
/// read and a reader from the one who is read for.
Result<std::unique_ptr<RecordSource>> open_records(SourceChoice choice);

/// A trace, `speed` times as fast as it was; 0: as fast as it goes.
Result<std::unique_ptr<RecordSource>> open_replay(const std::string& path, double speed);

}  // namespace physmem
