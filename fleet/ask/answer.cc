// SPDX-License-Identifier: MIT
#include "fleet/ask/answer.h"

#include "fleet/ask/selected.h"
#include "fleet/ask/units_answer.h"

namespace physmem::fleet {

Result<Answer> answer(Store& store, const Asked& asked) {
  const auto selected = select(store, asked);
  if (!selected) return selected.error();
  Result<Answer> answer = units_answer(store, *selected);
  if (answer && asked.top)
    for (Table& table : answer->tables)
      if (table.rows.size() > *asked.top) table.rows.resize(*asked.top);
  return answer;
}

}  // namespace physmem::fleet
