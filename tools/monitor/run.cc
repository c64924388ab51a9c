// SPDX-License-Identifier: MIT
#include "tools/monitor/run.h"

#include <unistd.h>

#include <new>
#include <ostream>
#include <utility>

#include "program/memory_limit.h"
#include "program/messages.h"
#include "program/missing_option.h"
#include "program/output_file.h"
#include "program/output_target.h"
#include "program/printable.h"
#include "tools/monitor/live.h"
#include "tools/monitor/pictures.h"
#include "tools/monitor/profile_shape.h"
#include "tools/monitor/profile_source.h"
#include "tools/monitor/profile_text.h"

namespace physmem::monitor {
namespace {

OutputKind kind_of(const Options& options) {
  std::vector<std::string> names;
  for (const Input& input : options.inputs) names.push_back(input.name);
  return kind_of_output(names);
}

class Run {
 public:
  Run(const Options& options, std::ostream& messages)
      : options_(options), messages_(messages), output_(options.output, kind_of(options)) {}

  Exit operator()() {
    if (const std::string problem = output_.error(); !problem.empty())
      return report_error(messages_, kProgramName, {Error::Kind::kIo, problem});
    if (options_.form == Form::kPlot && output_.is_terminal())
      return report_error(messages_, kProgramName,
                          {Error::Kind::kUsage, not_for_terminals("a picture")});
    if (Status status = write(); !status)
      return report_error(messages_, kProgramName, status.error());
    if (has_nothing_to_draw_) return Exit::kDataMissing;  // keeps an older picture
    const std::string problem = output_.commit();
    if (output_.closed_pipe()) return Exit::kIo;
    if (!problem.empty()) return report_error(messages_, kProgramName, {Error::Kind::kIo, problem});
    for (Untaken& untaken : untaken_) untaken.take();
    return is_missing_ ? exit_with_missing_data() : Exit::kDone;
  }

 private:
  Status write() {
    if (options_.form == Form::kText) return text();
    if (options_.form == Form::kLive) return live();
    if (Status status = read_profiles(); !status) return status;
    if (options_.form == Form::kPlot) return picture();
    if (options_.by_file)
      write_totals_csv(output_.stream(), profiles_, {.for_terminal = output_.is_terminal()});
    else
      write_csv(output_.stream(), profiles_.front().profile);
    return {};
  }
  Status text();
  Status live();
  Status picture();
  Status read_profiles();
  Result<std::vector<Sample>> samples_of(const Input& input);
  Status check(const Input& input, const Profile& profile);
  void miss(const Input& input, const std::string& sentence) {
    report(messages_, kProgramName, input.name + ": " + sentence);
    is_missing_ = true;
  }

  const Options& options_;
  std::ostream& messages_;
  OutputFile output_;
  std::vector<LabelledProfile> profiles_;
  std::vector<Untaken> untaken_;  // until the output is written
  bool is_missing_ = false;
  bool has_nothing_to_draw_ = false;
};

Result<std::vector<Sample>> Run::samples_of(const Input& input) {
  Result<Loaded> loaded = load(input.name, options_.consumes ? Access::kConsume : Access::kRead);
  if (!loaded) return loaded.error();
  for (const std::string& sentence : loaded->missing) miss(input, sentence);
  if (loaded->untaken) untaken_.push_back(std::move(*loaded->untaken));
  return std::move(loaded->samples);
}

Status Run::text() {
  Result<std::vector<Sample>> samples = samples_of(options_.inputs.front());
  if (!samples) return samples.error();
  write_text(output_.stream(), in_order_of_time(std::move(*samples)));
  return {};
}

Status Run::live() {
  const std::string& name = options_.inputs.front().name;
  if (is_profile_text(name))
    return Error{
        Error::Kind::kBadInput,
        name + ": found a text, but --live requires the device's buffer, such as /dev/mp3 or node"};
  const Result<ProfileBuffer> buffer = ProfileBuffer::open(name, Access::kRead);
  if (!buffer) return buffer.error();
  const bool in_place = options_.output == "-" && ::isatty(STDOUT_FILENO) != 0;
  show_live(*buffer, output_.stream(), {options_.hz, options_.cpu_unit, in_place});
  return {};
}

Status Run::check(const Input& input, const Profile& profile) {
  if (!profile.has_clock())
    return Error{Error::Kind::kBadInput,
                 input.name +
                     ": the distance of its samples fits no usual CONFIG_HZ at 20 samples per "
                     "second; set --hz (grep CONFIG_HZ= /boot/config-*)"};
  if (profile.samples().empty()) miss(input, "it contains no samples");
  if (profile.has_doubtful_unit())
    report(messages_, kProgramName,
           input.name + ": this is more CPU time than a machine has; --cpu-unit ns?");
  return {};
}

Status Run::read_profiles() {
  for (const Input& input : options_.inputs) {
    Result<std::vector<Sample>> samples = samples_of(input);
    if (!samples) return samples.error();
    Profile profile(std::move(*samples), options_.hz, options_.cpu_unit);
    if (Status status = check(input, profile); !status) return status;
    profiles_.push_back({input.label, std::move(profile)});
  }
  return {};
}

Status Run::picture() {
  std::erase_if(profiles_,
                [](const LabelledProfile& from) { return from.profile.samples().empty(); });
  has_nothing_to_draw_ = profiles_.empty();
  if (has_nothing_to_draw_) {
    report(messages_, kProgramName, options_.output + ": not drawn, because there are no samples");
    return {};
  }
  if (!options_.by_file)
    return draw(output_.stream(), options_.output, faults_over_time(profiles_, options_.title));
  const Result<Series> series = utilisation_by_number(profiles_, options_.title);
  if (!series) return series.error();
  return draw(output_.stream(), options_.output, *series);
}

}  // namespace

Exit run(const Options& options, std::ostream& messages) {
  try {
    return Run(options, messages)();
  } catch (const std::bad_alloc&) {
    return report_error(messages, kProgramName,
                        {Error::Kind::kIo, memory_refusal("reading the samples", "allow more")});
  }
}

}  // namespace physmem::monitor
