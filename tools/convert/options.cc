// SPDX-License-Identifier: MIT
#include "tools/convert/options.h"

#include <unistd.h>

#include <string_view>
#include <utility>

#include "program/memory_option.h"
#include "program/missing_option.h"
#include "program/option_table.h"
#include "program/option_value.h"
#include "program/printable.h"
#include "program/same_file.h"

namespace physmem::convert {
namespace {

constexpr ProgramText kProgram{
    kProgramName,
    "convert snapshots between text and the compact form",
    "  physmem-convert [--to FORM] [-o FILE] [SNAPSHOT]\n",
    R"(The compact form takes 1 or 2 bytes per page (5 if no pages are adjacent), and
text 40. All programs that read snapshots read both forms. Convert a snapshot to
read its text, or to save space. The conversion is lossless: each block is
decoded and compared before it is written, and has a checksum that is tested
when it is read. SNAPSHOT may be compressed (gzip, zstd, xz or lz4) and contain
a series. Without SNAPSHOT, or if it is -, standard input is read.
)",
    R"(EXAMPLES
  text to the compact form:
    physmem-convert -o snap.pmc snap.txt
  and back, to view it:
    physmem-convert snap.pmc | less
  smaller still, for an archive:
    physmem-convert -o snap.pmc.zst snap.txt.xz
  text, from a file in either form:
    physmem-convert --to text old.txt.gz
  a snapshot of the module:
    dd if=/dev/task_mem/0 | physmem-convert -o snap.pmc

EXIT STATUS
  0 done   2 wrong usage   3 not a snapshot, or a damaged one
  4 cannot read or write, or --max-memory is too small
  5 done, but the input is truncated
)",
    "physmem-analyze(1), physmem-collect(1)"};

Error usage(const std::string& text) {
  return usage_error(kProgram.name, text);
}

std::string set_form(Options& options, const char* value) {
  const std::string_view form = value;
  if (form != "text" && form != "compact") return "text or compact";
  options.to = form == "text" ? SnapshotForm::kText : SnapshotForm::kCompact;
  return {};
}

const std::vector<OptionRow<Options>> kOptions{
    {{0, "to", "FORM", "text or compact", "the opposite of the input's form"}, set_form},
    {{'o', "output", "FILE",
      "write to FILE, which appears whole or not at all. A new file is readable only by you, an "
      "existing one keeps its mode. A name ending in .zst is compressed",
      "-, standard output; the compact form is not written to a terminal"},
     set_text<&Options::output>},
    {kMaxMemoryOption, set_memory<&Options::max_memory>},
    {kAllowMissingOption, allow_missing<Options>}};

const OptionTable<Options> kTable(kProgram, {{"OPTIONS", kOptions}}, boost_words);

Result<Options> finished(Options options, const std::vector<std::string>& inputs) {
  options.has_input = !inputs.empty();
  if (inputs.size() > 1)
    return usage("found " + std::to_string(inputs.size()) +
                 " files, expected one: " + in_quotes(inputs[1], kWholePath) + " is too many");
  if (options.has_input) options.input = inputs[0];
  if (is_same_file(options.input, options.output))
    return usage("--output: found " + in_quotes(options.output, kWholePath) +
                 ", which is the input, expected another file");
  if (!foreign_ending(options.output).empty())
    return usage(wrong_value("--output", options.output, kSnapshotNames));
  return options;
}

}  // namespace

Result<Options> parse_options(int argc, char* argv[]) {
  return kTable.read(argc, argv, finished);
}

Status expect_input(const Options& options) {
  if (options.has_input || ::isatty(STDIN_FILENO) == 0) return {};
  return usage(
      "found no SNAPSHOT, and a terminal as standard input; usage: physmem-convert [OPTION]... "
      "SNAPSHOT, or physmem-collect | physmem-convert -o FILE");
}

}  // namespace physmem::convert
