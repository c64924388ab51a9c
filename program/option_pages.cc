// SPDX-License-Identifier: MIT
#include "program/option_pages.h"

#include <sstream>
#include <string_view>

#ifndef PHYSMEM_DATE
#define PHYSMEM_VERSION "unknown"
#define PHYSMEM_DATE ""
#endif

namespace physmem {
namespace {

/// Text without meaning for roff: no escapes, no requests at the beginning of a line, and dashes
/// that can be searched for and copied.
std::string roff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n')) out += "\\&";
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
  }
  return out;
}

/// Lines that roff must not fill: examples, tables, usage.
std::string verbatim(std::string_view lines) {
  return ".nf\n" + roff(lines) + ".fi\n";
}

std::string section(std::string_view heading) {
  return ".SH \"" + roff(heading) + "\"\n";
}

/// The sections of ProgramText: a line at the left margin begins one.
std::string sections_of(std::string_view sections) {
  std::istringstream lines{std::string(sections)};
  std::string page, body;
  const auto end_section = [&page, &body] {
    while (body.ends_with("\n\n")) body.pop_back();
    if (!body.empty()) page += verbatim(body);
    body.clear();
  };
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line.front() == ' ') {
      body += line + "\n";
      continue;
    }
    end_section();
    page += section(line);
  }
  end_section();
  return page;
}

std::string man_option(const OptionText& option) {
  std::string text = ".TP\n";
  if (option.letter != 0) text += std::string("\\fB\\-") + option.letter + "\\fR, ";
  text += "\\fB\\-\\-" + roff(option.name) + "\\fR";
  if (option.value != nullptr)
    text += (has_optional_value(option) ? "\\fI" : " \\fI") + roff(option.value) + "\\fR";
  std::string help = roff(full_help(option));
  for (std::size_t at = 0; (at = help.find('\n', at)) != std::string::npos; at += 5)
    help.replace(at, 1, "\n.br\n");
  return text + "\n" + help + "\n";
}

/// "NAME(SECTION), …": names are bold.
std::string see_also(std::string_view related) {
  std::string pages(related);
  if (!pages.empty()) pages += ", ";
  pages += "physmem(7), physmem-records(5)";
  std::string text = ".SH \"SEE ALSO\"\n\\fB";
  for (const char letter : roff(pages))
    text += letter == '(' ? "\\fR(" : letter == ' ' ? " \\fB" : std::string(1, letter);
  return text + "\n";
}

}  // namespace

std::string man_page_of(const OptionList& list) {
  const ProgramText& program = list.program;
  std::string page = ".TH \"" + roff(program.name) + "\" " + program.manual +
                     " \"" PHYSMEM_DATE "\" \"physmem " PHYSMEM_VERSION "\"\n.SH NAME\n" +
                     roff(program.name) + " \\- " + roff(program.purpose) + "\n.SH SYNOPSIS\n" +
                     verbatim(program.usage);
  if (*program.notes != '\0') page += ".SH DESCRIPTION\n" + verbatim(program.notes);
  auto heading = list.headings.begin();
  for (std::size_t i = 0; i < list.options.size(); ++i) {
    for (; heading != list.headings.end() && heading->first == i; ++heading)
      page += section(heading->text);
    page += man_option(list.options[i]);
  }
  return page + sections_of(program.sections) + see_also(program.related);
}

}  // namespace physmem
