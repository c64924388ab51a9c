// SPDX-License-Identifier: MIT
// The verbs of physmem-fleet: which options have an effect with each, and its page of --help.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fleet/options.h"
#include "program/option_text.h"

namespace physmem::fleet {

/// With the page of --help that a verb has for itself.
std::vector<VerbText> verb_texts();

/// The verbs, as a list with commas.
inline constexpr const char* kVerbForm =
    "rows, load, ask, schema, rollup, expire, remove or archive";

std::optional<Verb> find_verb(std::string_view name);

/// The first option that was given and has no effect with the verb; empty: none.
std::string first_unfit(const Options& options);

}  // namespace physmem::fleet
