// SPDX-License-Identifier: MIT
// The fallback of OutputTarget for file systems without O_TMPFILE.
#include "program/temporary_file.h"

#include <fcntl.h>
#include <gmock/gmock.h>

#include "tests/unit/program/output_folder.h"

namespace physmem {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class TemporaryFile : public OutputFolder {
 protected:
  UniqueFd opened() const { return UniqueFd(::open(folder_.c_str(), O_PATH | O_DIRECTORY)); }

  TemporaryName form_ = {"stem-", ".html"};
};

TEST_F(TemporaryFile, IsStaleOnlyAfterClose) {
  const UniqueFd folder = opened();
  NamedFile named = create_named(folder.get(), form_, 0600);
  ASSERT_TRUE(named.file);
  EXPECT_EQ(named.name.size(), std::string("stem-0123456789ab.html").size());
  remove_stale(folder.get(), form_);
  EXPECT_THAT(names(), ElementsAre(named.name));
  EXPECT_EQ(mode(named.name), 0600u);
  named.file.reset();
  remove_stale(folder.get(), form_);
  EXPECT_THAT(names(), IsEmpty());
}

TEST_F(TemporaryFile, IsStaleOnlyAfterCloseIfNamedLater) {
  const UniqueFd folder = opened();
  UniqueFd file = open_unnamed(folder.get(), 0600);
  if (!file) GTEST_SKIP() << "no O_TMPFILE here";
  EXPECT_THAT(names(), IsEmpty());
  const std::string name = give_name(folder.get(), file.get(), form_);
  remove_stale(folder.get(), form_);
  EXPECT_THAT(names(), ElementsAre(name));
  file.reset();
  remove_stale(folder.get(), form_);
  EXPECT_THAT(names(), IsEmpty());
}

TEST_F(TemporaryFile, IsKeptUnderAnotherNameOrFileType) {
  const UniqueFd folder = opened();
  for (const char* name :
       {"stem-0123456789a.html", "stem-0123456789abc.html", "stem-0123456789AB.html",
        "stem-0123456789ab.htm", "item-0123456789ab.html"})
    put(name, "");
  link("stem-0123456789a.html", "stem-0123456789ab.html");
  remove_stale(folder.get(), form_);
  EXPECT_EQ(names().size(), 6u);
}

TEST_F(TemporaryFile, ShortensALongNameBetweenCharacters) {
  std::string name(199, 'n');
  EXPECT_EQ(temporary_name_for(name + "\u00e9" + name).stem, "." + name + ".physmem-");
}

}  // namespace
}  // namespace physmem
