// SPDX-License-Identifier: MIT
#include "tests/conformance/machine_setting.h"

#include <fstream>
#include <iterator>

namespace physmem::conformance {
namespace {

bool write_value(const std::string& path, const std::string& value) {
  std::ofstream file(path);
  file << value << std::flush;
  return file.good();
}

// "always [madvise] never" means madvise.
std::string read_value(const std::string& path) {
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::size_t open = text.find('[');
  const std::size_t close = text.find(']');
  if (open == std::string::npos || close == std::string::npos)
    return text.substr(0, text.find('\n'));
  return text.substr(open + 1, close - open - 1);
}

}  // namespace

MachineSetting::MachineSetting(std::string path, const std::string& value)
    : path_(std::move(path)), old_(read_value(path_)) {
  is_set_ = !old_.empty() && write_value(path_, value);
}

MachineSetting::~MachineSetting() {
  if (is_set_) write_value(path_, old_);
}

}  // namespace physmem::conformance
