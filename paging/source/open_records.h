// SPDX-License-Identifier: MIT
// Opens the source of records that this machine supports.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "paging/source/record_source.h"

namespace physmem {

enum class SourceChoice { kAuto, kKmod, kBpf };

/// Parses a source name from an option or a configuration file.
std::optional<SourceChoice> source_choice(std::string_view name);
/// For help texts and messages: "auto, kmod or bpf".
inline constexpr const char* kSourceNames = "auto, kmod or bpf";

/// kAuto opens the module's device or, if that fails, a BPF program (if built in). The error lists
/// what was tried, why it failed, and how to fix it.
///
/// tracefs is not supported as a source. Before Linux 6.12 (BTF arguments) its kprobe events lack
/// the fault address. They also keep no state from the entry of a fault to its return. That state
/// distinguishes a cache hit from a read, and the reading task from the task that needs the page.
Result<std::unique_ptr<RecordSource>> open_records(SourceChoice choice);

/// A recorded trace, replayed at `speed` times the original speed; 0: as fast as possible.
Result<std::unique_ptr<RecordSource>> open_replay(const std::string& path, double speed);

}  // namespace physmem
