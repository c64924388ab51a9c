// SPDX-License-Identifier: MIT
// --ask metrics: the output is replaced after each snapshot.
#include <gmock/gmock.h>

#include <sys/stat.h>

#include <atomic>
#include <thread>

#include "tests/unit/cli/command_run.h"
#include "tests/unit/maps_snapshot.h"
#include "tests/unit/snapshot_text.h"

namespace physmem {
namespace {

using testing::HasSubstr;

class MetricsTest : public CommandRun {
 protected:
  static std::string heap(const std::string& process, const std::string& pages) {
    return maps_snapshot("process " + process + " 1\n1000-5000 rw-p 0 0 [heap] : " + pages + "\n");
  }
};

TEST_F(MetricsTest, HasTheLastSnapshotOnly) {
  const std::string input = write("two.txt", heap("a", "a1 b1") + heap("b", "a1"));
  EXPECT_EQ(command({"--metrics", input, "-o", path("out.prom")}), Exit::kDone) << messages_;
  const std::string text = content("out.prom");
  EXPECT_THAT(text, HasSubstr("physmem_process_rss_bytes{command=\"b\"} 4096\n"
                              "physmem_process_rss_bytes{command=\"other\"} 0\n"));
  EXPECT_EQ(text.find("command=\"a\""), std::string::npos);
  EXPECT_EQ(text.find("# EOF\n"), text.size() - 6);
}

TEST_F(MetricsTest, ReplacesFileWhileSeriesContinues) {
  const std::string pipe = path("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::atomic<bool> has_ended = false;
  std::thread collector([&] {
    std::ofstream to(pipe);
    for (const char* name : {"first", "second"}) {
      to << heap(name, "a1") << std::flush;
      // The program writes the file when it has read E:.
      while (!has_ended && content("out.prom").find(name) == std::string::npos)
        std::this_thread::yield();
    }
  });
  EXPECT_EQ(command({"--metrics", pipe, "-o", path("out.prom")}), Exit::kDone) << messages_;
  has_ended = true;
  collector.join();
  EXPECT_THAT(content("out.prom"), HasSubstr("command=\"second\""));
}

TEST_F(MetricsTest, KeepsLastAnswerIfInputBreaks) {
  const std::string input = write("cut.txt", heap("a", "a1") + "H: 2, nonsense\n");
  EXPECT_EQ(command({"--metrics", input, "-o", path("out.prom")}), Exit::kBadInput);
  EXPECT_THAT(content("out.prom"), HasSubstr("command=\"a\""));
  EXPECT_EQ(command({"--metrics", input, "-o", path("no/out.prom")}), Exit::kIo);
}

}  // namespace
}  // namespace physmem
