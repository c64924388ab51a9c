# SPDX-License-Identifier: MIT
# cmake -DOUTPUT=FILE.cc -DHEADER=fleet/sql/sql_text.h -DFILES="A;B" -P EmbedTexts.cmake: C++ with
# the texts of these files, each found by the names of its folder and file.
set(rows "")
foreach(file IN LISTS FILES)
  file(READ ${file} text)
  get_filename_component(name ${file} NAME_WE)
  get_filename_component(folder ${file} DIRECTORY)
  get_filename_component(folder ${folder} NAME)
  string(APPEND rows "    {\"${folder}\", \"${name}\", R\"SQL(${text})SQL\"},\n")
endforeach()
file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT [[
#include "@HEADER@"

#include <array>

namespace physmem::fleet {
namespace {

struct Text {
  std::string_view dialect, name, text;
};
const Text kTexts[]{
@rows@};

}  // namespace

std::string_view sql_text(std::string_view dialect, std::string_view name) {
  for (const Text& text : kTexts)
    if (text.dialect == dialect && text.name == name) return text.text;
  return {};
}

}  // namespace physmem::fleet
]])
