// SPDX-License-Identifier: MIT
#include "formats/output/open_output.h"

#include <utility>

#include "formats/output/compact_output.h"
#include "formats/output/file_output.h"
#include "formats/output/zstd_output.h"
#include "program/output_target.h"

namespace physmem {
namespace {

Result<std::unique_ptr<Output>> open_text_output(const std::string& name) {
  Result<std::unique_ptr<Output>> file = open_file_output(name);
  if (!file || !name.ends_with(".zst")) return file;
  return compress_into(std::move(*file));
}

}  // namespace

Result<std::unique_ptr<Output>> open_output(const std::string& name, SnapshotForm form) {
  Result<std::unique_ptr<Output>> output = open_text_output(name);
  if (!output || form == SnapshotForm::kText) return output;
  if ((*output)->is_terminal())
    return Error{Error::Kind::kUsage, not_for_terminals("the compact form")};
  return compact_into(std::move(*output));
}

}  // namespace physmem
