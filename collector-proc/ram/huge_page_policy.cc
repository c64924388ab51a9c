// SPDX-License-Identifier: MIT
#include "collector-proc/ram/huge_page_policy.h"

#include <array>
#include <span>
#include <string>

#include "collector-proc/proc_tree.h"
#include "collector-proc/text_cursor.h"

namespace physmem::collect {
namespace {

using std::string_view_literals::operator""sv;

constexpr const char* kFolder = "kernel/mm/transparent_hugepage/";

/// Words by their number in a counter.
constexpr std::array kEnabled{"never"sv, "madvise"sv, "always"sv, "inherit"sv};
constexpr std::array kDefrag{"never"sv, "madvise"sv, "defer+madvise"sv, "defer"sv, "always"sv};

void add_word(int sys, const std::string& file, std::span<const std::string_view> words,
              const std::string& name, std::vector<Counter>& into) {
  ReadBuffer text;
  if (read_at(sys, (kFolder + file).c_str(), text) != Access::kRead) return;
  const std::string_view chosen = chosen_word(text.text());
  for (std::size_t i = 0; i < words.size(); ++i)
    if (words[i] == chosen) into.push_back({"thp." + name, i});
}

}  // namespace

std::string_view chosen_word(std::string_view text) {
  const std::size_t begin = text.find('['), end = text.find(']', begin);
  return begin == text.npos || end == text.npos ? "" : text.substr(begin + 1, end - begin - 1);
}

std::vector<Counter> read_huge_page_policy(int sys) {
  std::vector<Counter> policy;
  add_word(sys, "enabled", kEnabled, "enabled", policy);
  add_word(sys, "defrag", kDefrag, "defrag", policy);
  ReadBuffer text;
  const std::string largest_of_all = std::string(kFolder).append("hpage_pmd_size");
  if (read_at(sys, largest_of_all.c_str(), text) != Access::kRead) return policy;
  const std::uint64_t largest = TextCursor(text.text()).number().value_or(0);
  for (std::uint64_t kib = 8; kib <= largest / 1024; kib *= 2) {
    const std::string size = std::to_string(kib) + "kB";
    add_word(sys, "hugepages-" + size + "/enabled", kEnabled, size + ".enabled", policy);
  }
  return policy;
}

}  // namespace physmem::collect
