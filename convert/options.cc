// SPDX-License-Identifier: MIT
#include "convert/options.h"

#include <unistd.h>

#include <boost/program_options.hpp>
#include <sstream>
#include <string_view>
#include <vector>

#include "analyzer/cli/command_line.h"
#include "analyzer/parse/line_cursor.h"
#include "program/memory_limit.h"
#include "program/option_value.h"
#include "program/same_file.h"

namespace physmem::convert {
namespace {

namespace po = boost::program_options;

constexpr const char* kVersionText =
    "physmem-convert " PHYSMEM_VERSION "\nMIT licence. There is no warranty.\n";

struct Description {
  po::options_description shown{"OPTIONS"};
  po::options_description hidden;
  po::options_description all;
  po::positional_options_description positions;
};

Description describe_options() {
  Description d;
  d.shown.add_options()("to", po::value<std::string>()->value_name("FORM"),
                        "text or compact [default: the opposite of the input's form]")(
      "output,o", po::value<std::string>()->value_name("FILE"),
      "write to FILE, which appears whole or not at all. A new file is readable only by you, an "
      "existing one keeps its mode. A name ending in .zst is compressed [default: -, standard "
      "output; the compact form is not written to a terminal]")(
      "max-memory", po::value<std::string>()->value_name("SIZE"),
      "limit of memory, such as 512M or 2G [default: half of the RAM, or of the control group's "
      "limit]")("help,h", "this page")("version", "version and copyright");
  d.hidden.add_options()("input", po::value<std::vector<std::string>>());
  d.positions.add("input", -1);
  d.all.add(d.shown).add(d.hidden);
  return d;
}

constexpr const char* kHelpBegin =
    R"(physmem-convert: snapshots from text to the compact form, and back

USAGE
  physmem-convert [--to FORM] [-o FILE] [SNAPSHOT]

The compact form takes 1 or 2 bytes per page (5 if no pages are adjacent), and text 40. All programs
that read snapshots read both forms. Convert a snapshot to read its text, or to save space. The
conversion is lossless: each block is decoded and compared before it is written, and has a checksum
that is tested when it is read. SNAPSHOT may be compressed (gzip, zstd, xz or lz4) and contain a
series. Without SNAPSHOT, or if it is -, standard input is read.

)";

constexpr const char* kHelpEnd = R"(
EXAMPLES
  physmem-convert -o snap.pmc snap.txt          text to the compact form
  physmem-convert snap.pmc | less               and back, to view it
  physmem-convert -o snap.pmc.zst snap.txt.xz   smaller still, for an archive
  physmem-convert --to text old.txt.gz          text, whatever form the file has
  dd if=/dev/task_mem/0 | physmem-convert -o snap.pmc    a snapshot of the module

EXIT STATUS
  0 done   2 wrong usage   3 the input is not a snapshot, or damaged
  4 cannot read or write, or --max-memory is too small
)";

std::string help_page(const Description& d) {
  std::ostringstream text;
  text << kHelpBegin << d.shown << kHelpEnd;
  return text.str();
}

Error usage(const std::string& text) {
  return {Error::Kind::kUsage, text + " (physmem-convert --help lists all options)"};
}

Result<Options> read(const po::variables_map& map) {
  Options options;
  if (map.count("to") != 0) {
    const auto& form = map["to"].as<std::string>();
    if (form != "text" && form != "compact")
      return usage("--to: found " + quoted(form) + ", expected text or compact");
    options.to = form == "text" ? collect::SnapshotForm::kText : collect::SnapshotForm::kCompact;
  }
  if (map.count("max-memory") != 0) {
    const auto& size = map["max-memory"].as<std::string>();
    options.max_memory = memory_size_of(size);
    if (!options.max_memory)
      return usage("--max-memory: found " + quoted(size) + ", expected " + kMemorySizes);
  }
  if (map.count("output") != 0) options.output = map["output"].as<std::string>();
  if (map.count("input") == 0) return options;
  const auto& inputs = map["input"].as<std::vector<std::string>>();
  if (inputs.size() != 1)
    return usage("found " + std::to_string(inputs.size()) +
                 " files, expected one: " + quoted(inputs[1]) + " is too many");
  options.input = inputs[0];
  options.has_input = true;
  if (is_same_file(options.input, options.output))
    return usage("--output: found " + quoted(options.output) +
                 ", which is the input, expected another file");
  if (!foreign_ending(options.output).empty())
    return usage(wrong_value("--output", options.output, kSnapshotNames));
  return options;
}

}  // namespace

Result<Options> parse_options(int argc, const char* const argv[]) {
  const Description d = describe_options();
  const auto map = parse_command_line(argc, argv, d.all, d.positions);
  if (!map) return usage(map.error().text);
  Options options;
  if (map->count("help") != 0) options.text_instead = help_page(d);
  if (map->count("version") != 0) options.text_instead = kVersionText;
  if (!options.text_instead.empty()) return options;
  return read(*map);
}

Status expect_input(const Options& options) {
  if (options.has_input || ::isatty(STDIN_FILENO) == 0) return {};
  return usage(
      "found no SNAPSHOT, and a terminal as standard input; usage: physmem-convert [OPTION]... "
      "SNAPSHOT, or "
      "physmem-collect | physmem-convert -o FILE");
}

}  // namespace physmem::convert
