// SPDX-License-Identifier: MIT
#include "program/output_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "program/descriptor_buffer.h"
#include "program/output_target.h"
#include "program/printable.h"

namespace physmem {
namespace {

bool is_private(const std::string& input) {
  struct stat status {};
  const int error = input == "-" ? ::fstat(STDIN_FILENO, &status) : ::stat(input.c_str(), &status);
  return error == 0 && (!S_ISREG(status.st_mode) || (status.st_mode & S_IROTH) == 0);
}

}  // namespace

OutputKind kind_of_output(const std::vector<std::string>& inputs) {
  return std::any_of(inputs.begin(), inputs.end(), is_private) ? OutputKind::kSnapshot
                                                               : OutputKind::kReport;
}

struct OutputFile::Impl {
  Impl(std::string where, OutputKind kind)
      : path(std::move(where)),
        target(path, kind == OutputKind::kReport ? kModeOfReports : kModeOfSnapshots) {
    if (!target.problem().empty()) stream.setstate(std::ios::badbit);
    buffer.attach(target.descriptor());
  }

  void finish() {
    if (!target.problem().empty() || buffer.flush() != 0) return;
    if (const int error = target.commit(); error != 0) fail(error);
  }

  void fail(int error) {
    buffer.fail(error);
    stream.setstate(std::ios::badbit);
  }

  std::string error() const {
    std::string reason = target.problem();
    if (reason.empty() && buffer.failure() != 0)
      reason = std::generic_category().message(buffer.failure());
    if (reason.empty()) return "";
    const bool is_standard = path.empty() || path == "-";
    return "cannot write " + (is_standard ? "standard output" : for_terminal(path)) + ": " +
           for_terminal(reason) + kept();
  }

  std::string kept() const {
    const std::string& name = target.kept_as();
    return name.empty() ? "" : "; it is whole in " + for_terminal(name) + " in the same folder";
  }

  std::string path;  // as passed to the constructor
  OutputTarget target;
  bool finished = false;
  DescriptorBuffer buffer;
  std::ostream stream{&buffer};
};

OutputFile::OutputFile(std::string path, OutputKind kind)
    : impl_(std::make_unique<Impl>(std::move(path), kind)) {}

OutputFile::~OutputFile() = default;

std::ostream& OutputFile::stream() {
  return impl_->stream;
}

std::string OutputFile::error() const {
  return impl_->error();
}

std::string OutputFile::commit() {
  if (!std::exchange(impl_->finished, true)) impl_->finish();
  return impl_->error();
}

bool OutputFile::is_terminal() const {
  return impl_->target.is_terminal();
}

bool OutputFile::closed_pipe() const {
  return impl_->buffer.failure() == EPIPE;
}

}  // namespace physmem
