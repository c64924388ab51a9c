// SPDX-License-Identifier: MIT
#include "tools/convert/run.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <new>
#include <ostream>
#include <vector>

#include "analyzer/parse/compact_codec.h"
#include "analyzer/parse/input_kind.h"
#include "analyzer/parse/line_cursor.h"
#include "analyzer/parse/open_source.h"
#include "analyzer/parse/read_progress.h"
#include "program/clock.h"
#include "program/memory_limit.h"
#include "program/messages.h"
#include "program/missing_option.h"
#include "program/printable.h"
#include "program/signals.h"

namespace physmem::convert {
namespace {

/// The input unchanged, with progress. A signal ends the reading, also while a pipe is empty.
class Input : public ByteSource {
 public:
  Input(std::unique_ptr<ByteSource> inner, const Options& options, const std::string& name)
      : inner_(std::move(inner)),
        is_stdin_(options.input == "-"),
        progress_(*inner_, name, bytes_of(options.input)) {}

  Result<std::size_t> read(char* to, std::size_t size) override {
    pollfd file{is_stdin_ ? STDIN_FILENO : -1, POLLIN, 0};
    if (is_stdin_) system_clock().wait_until(UINT64_MAX, {&file, 1});
    if (interrupted()) return Error{Error::Kind::kIo, ""};
    return progress_.read(to, size);
  }

 private:
  /// 0 if unknown.
  static std::uint64_t bytes_of(const std::string& path) {
    struct stat status {};
    const int error = path == "-" ? ::fstat(STDIN_FILENO, &status) : ::stat(path.c_str(), &status);
    return error == 0 && S_ISREG(status.st_mode) ? static_cast<std::uint64_t>(status.st_size) : 0;
  }

  std::unique_ptr<ByteSource> inner_;
  bool is_stdin_;
  ReadProgress progress_;
};

struct Text {
  std::unique_ptr<ByteSource> source;
  SnapshotForm came_as = SnapshotForm::kText;
  std::string head;
};

Result<Text> open_text(const Options& options, const std::string& name) {
  auto file = open_source(options.input, Undo::kNothing);
  if (!file) return file.error();
  auto bytes =
      decoded(std::make_unique<Input>(std::move(*file), options, name), name, Undo::kCompression);
  if (!bytes) return bytes.error();
  auto opened = with_head(std::move(*bytes), kDecidingBytes);
  if (!opened) return opened.error();
  const bool is_compact = begins_compact(opened->head);
  auto source = decoded(std::move(opened->source), name);
  if (!source) return source.error();
  auto text = with_head(std::move(*source), kDecidingBytes);
  if (!text) return text.error();
  return Text{std::move(text->source), is_compact ? SnapshotForm::kCompact : SnapshotForm::kText,
              std::move(text->head)};
}

/// Rejects input that is not a snapshot. It could be converted without loss, but is probably the
/// wrong file.
Status check(const Text& text, const std::string& name) {
  if (begins_snapshot(text.head)) return {};
  const std::string found = text.head.empty() ? "is empty" : "begins with " + in_quotes(text.head);
  return Error{Error::Kind::kBadInput,
               name + ": " + found +
                   (begins_trace(text.head)
                        ? ", a paging trace; physmem-trace --format binary makes its small form"
                        : ", expected a snapshot: H: or T: in text, or the compact form")};
}

Error write_error(const Output& output, int error_number) {
  return {Error::Kind::kIo, output_error(output, error_number).text};
}

/// The last line of a text; of a line over 256 bytes, which is no E: record, only the end.
class LastLine {
 public:
  void add(std::string_view piece) {
    last_ += piece.substr(piece.size() - std::min(piece.size(), kKept));
    if (last_.size() > kKept) last_.erase(0, last_.size() - kKept);
  }
  std::string_view text() const {
    const std::string_view text = last_;
    const std::size_t newline =
        text.substr(0, std::max<std::size_t>(text.size(), 1) - 1).rfind('\n');
    return newline == text.npos ? text : text.substr(newline + 1);
  }

 private:
  static constexpr std::size_t kKept = 256;  ///< bytes; an E: line is shorter
  std::string last_;
};

/// A terminal would interpret characters that a damaged or hostile snapshot has in names.
int write_piece(Output& to, std::string_view piece) {
  return to.is_terminal() ? to.write(lines_for_terminal(piece)) : to.write(piece);
}

Status copy(ByteSource& from, Output& to, LastLine& last) {
  constexpr std::size_t kPiece = 256 << 10;
  std::vector<char> piece(kPiece);
  while (true) {
    const auto n = from.read(piece.data(), piece.size());
    if (!n) return n.error();
    last.add({piece.data(), *n});
    int error = *n == 0 ? to.mark_whole() : write_piece(to, {piece.data(), *n});
    if (error == 0 && *n == 0) error = to.finish();
    if (error != 0) return write_error(to, error);
    if (*n == 0) return {};
  }
}

/// A name for messages.
std::string input_name(const Options& options) {
  return options.input == "-" ? "standard input" : options.input;
}

/// False if the text is truncated.
Result<bool> convert(const Options& options) {
  const std::string name = input_name(options);
  const auto text = open_text(options, name);
  if (!text) return text.error();
  if (Status status = check(*text, name); !status) return status.error();
  const SnapshotForm form = options.to.value_or(
      text->came_as == SnapshotForm::kText ? SnapshotForm::kCompact : SnapshotForm::kText);
  const auto output = open_output(options.output, form);
  if (!output) {
    const bool is_usage = output.error().kind == Error::Kind::kUsage;
    return Error{is_usage ? Error::Kind::kUsage : Error::Kind::kIo, output.error().text};
  }
  LastLine last;
  if (Status status = copy(*text->source, **output, last); !status) return status.error();
  return is_whole_snapshot(text->head, last.text());
}

Result<bool> convert_bounded(const Options& options) {
  try {
    return convert(options);
  } catch (const std::bad_alloc&) {
    return Error{Error::Kind::kIo,
                 memory_refusal(input_name(options) + ": converting it", "allow more")};
  }
}

}  // namespace

Exit run(const Options& options, std::ostream& messages) {
  catch_signals();
  const Result<bool> is_whole = convert_bounded(options);
  if (!is_whole) {
    die_of_signal();
    return report_error(messages, kProgramName, is_whole.error());
  }
  if (*is_whole) return Exit::kDone;
  report(
      messages, kProgramName,
      input_name(options) + ": ends without an E: line, so it is truncated, and so is the output");
  return exit_with_missing_data();
}

}  // namespace physmem::convert
