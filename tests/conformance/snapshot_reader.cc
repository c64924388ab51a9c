// SPDX-License-Identifier: MIT
#include "tests/conformance/snapshot_reader.h"

#include <sstream>
#include <stdexcept>

namespace physmem::conformance {
namespace {

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

std::vector<std::string> fields_of(const std::string& text, char delimiter) {
  std::vector<std::string> fields;
  std::istringstream stream(text);
  for (std::string field; std::getline(stream, field, delimiter);) fields.push_back(trimmed(field));
  return fields;
}

std::uint64_t number(const std::string& text, int base) {
  std::size_t used = 0;
  const std::uint64_t value = std::stoull(text, &used, base);
  if (used != text.size()) throw std::invalid_argument("not a number: " + text);
  return value;
}

std::uint64_t dec(const std::string& text) {
  return number(text, 10);
}
std::uint64_t hex(const std::string& text) {
  return number(text, 16);
}

/// Reads one line after the other; body is the text after the letter.
class Reader {
 public:
  void line(const std::string& text) {
    const bool begins = text.size() > 1 && text[1] == ':';
    const std::string body = !begins ? text : text.substr(2);
    if (begins) letter_ = text[0];
    switch (begins || letter_ == 'M' || letter_ == 'S' ? letter_
                                                       : ' ') {  // others are one line long
      case 'H':
        return header(body);
      case 'G':
        return counters(body);
      case 'T':
        return task(body);
      case 'V':
        return vma(text, body);
      case 'P':
        return counts(text, body);
      case 'M':
        return pages(body);
      case 'S':
        return swapped(body);
      case 'E':
        for (const std::string& field : fields_of(body, ',')) snapshot_.end.push_back(dec(field));
        return;
      default:
        throw std::invalid_argument("no record begins like this");
    }
  }
  Snapshot take() { return std::move(snapshot_); }

 private:
  AreaRecord& area() { return snapshot_.tasks.at(snapshot_.tasks.size() - 1).areas.back(); }

  void header(const std::string& body) {
    for (const std::string& field : fields_of(body, ',')) {
      const std::size_t equals = field.find('=');
      if (equals != std::string::npos)
        snapshot_.header[field.substr(0, equals)] = field.substr(equals + 1);
    }
  }
  void counters(const std::string& body) {
    for (const std::string& field : fields_of(body, ',')) {
      const std::size_t equals = field.find('=');
      snapshot_.counters[field.substr(0, equals)] = dec(field.substr(equals + 1));
    }
  }
  void task(const std::string& body) {
    TaskRecord task;
    task.fields = fields_of(body, ',');
    task.pid = dec(task.fields.at(1));
    task.mm = hex(task.fields.at(2));
    task.tgid = dec(task.fields.at(10));
    snapshot_.tasks.push_back(std::move(task));
  }
  void vma(const std::string& text, const std::string& body) {
    AreaRecord area;
    area.fields = fields_of(body, ',');
    const auto& fields = area.fields;
    area.vma = text;
    area.start = hex(fields.at(0));
    area.last = hex(fields.at(1));
    area.resident = hex(fields.at(3));
    area.flags = hex(fields.at(5));
    area.unit = fields.at(6);
    if (hex(fields.at(2)) != area.last - area.start + 1)
      throw std::invalid_argument("size is not last - start + 1");
    snapshot_.tasks.at(snapshot_.tasks.size() - 1).areas.push_back(std::move(area));
  }
  void counts(const std::string& text, const std::string& body) {
    area().was_recounted = !area().counts.empty();
    area().counts = text;
    area().count_fields.clear();
    for (const std::string& field : fields_of(body, ',')) area().count_fields.push_back(dec(field));
  }
  void pages(const std::string& body) {
    for (const std::string& entry : fields_of(body, '|')) {
      const auto fields = fields_of(entry, ',');
      const std::size_t equals = fields.at(0).find('=');
      area().pages.push_back({hex(fields.at(0).substr(0, equals)),
                              hex(fields.at(0).substr(equals + 1)), dec(fields.at(1)),
                              hex(fields.at(2))});
    }
  }
  void swapped(const std::string& body) {
    for (const std::string& entry : fields_of(body, '|')) {
      const std::size_t equals = entry.find('=');
      const std::size_t colon = entry.find(':', equals);
      area().swapped.push_back({hex(entry.substr(0, equals)),
                                dec(entry.substr(equals + 1, colon - equals - 1)),
                                hex(entry.substr(colon + 1))});
    }
  }

  Snapshot snapshot_;
  char letter_ = ' ';  // of the record that the next line may continue
};

}  // namespace

Snapshot read_snapshot(const std::string& text) {
  Reader reader;
  std::istringstream lines(text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    try {
      reader.line(line);
    } catch (const std::exception& error) {
      throw std::runtime_error("line " + std::to_string(number) + ": " + line.substr(0, 120) +
                               ": " + error.what());
    }
  }
  return reader.take();
}

}  // namespace physmem::conformance
