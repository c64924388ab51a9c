// SPDX-License-Identifier: MIT
// Names of cgroups for people.
#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "analyzer/shape/cgroup_title.h"

namespace physmem {
namespace {

const std::string kId(64, 'a');
const std::string kShort(12, 'a');

TEST(CgroupTitle, IsTheLastPart) {
  EXPECT_EQ(cgroup_title("/"), "/");
  EXPECT_EQ(cgroup_title("/system.slice/nginx.service"), "nginx.service");
  EXPECT_EQ(cgroup_title("/system.slice/system-serial\\x2dgetty.slice"),
            "system-serial-getty.slice");
  EXPECT_EQ(cgroup_title("[deleted]"), "[deleted]");
}

TEST(CgroupTitle, HasTheManagerAndTheShortIdOfAContainer) {
  EXPECT_EQ(cgroup_title("/system.slice/docker-" + kId + ".scope"), "docker " + kShort);
  EXPECT_EQ(cgroup_title("/docker/" + kId), "docker " + kShort);
  EXPECT_EQ(cgroup_title("/machine.slice/libpod-" + kId + ".scope"), "podman " + kShort);
  EXPECT_EQ(cgroup_title("/machine.slice/libpod-conmon-" + kId + ".scope"),
            "podman conmon " + kShort);
  EXPECT_EQ(cgroup_title("/x/cri-containerd-" + kId + ".scope"), "containerd " + kShort);
  EXPECT_EQ(cgroup_title("/x/crio-" + kId + ".scope"), "cri-o " + kShort);
  EXPECT_EQ(cgroup_title("/kubepods/burstable/pod1/" + kId), "container " + kShort);
  EXPECT_EQ(cgroup_title("/docker/" + kId.substr(1)), kId.substr(1));
}

TEST(CgroupTitle, HasTheIdOfAPodOfBothDrivers) {
  const std::string uid = "0b1c2d3e-4f50-6172-8394-a5b6c7d8e9f0";
  EXPECT_EQ(cgroup_title("/kubepods/burstable/pod" + uid), "pod " + uid);
  EXPECT_EQ(cgroup_title("/kubepods.slice/kubepods-burstable.slice/"
                         "kubepods-burstable-pod0b1c2d3e_4f50_6172_8394_a5b6c7d8e9f0.slice"),
            "pod " + uid);
  EXPECT_EQ(cgroup_title("/kubepods.slice/kubepods-burstable.slice"), "kubepods-burstable.slice");
  EXPECT_EQ(cgroup_title("/podman"), "podman");
}

TEST(CgroupTitle, HasTheNameOfAMachine) {
  EXPECT_EQ(cgroup_title("/machine.slice/machine-web\\x2d1.scope"), "machine web-1");
  EXPECT_EQ(cgroup_title("/lxc.payload.web"), "lxc web");
  EXPECT_EQ(cgroup_title("/lxc/web"), "lxc web");
}

TEST(CgroupTitle, HasTheNamesOfContainersPodsAndGroups) {
  const std::string uid = "5ab0c1d2-0000-1111-2222-333344445555";
  std::istringstream lines(kShort + " web\n\n" + uid + "  shop front\n/system.slice/a.service A\n");
  const auto names = CgroupNames::read(lines);
  ASSERT_TRUE(names);
  EXPECT_EQ(cgroup_title("/docker/" + kId, *names), "docker web");
  EXPECT_EQ(cgroup_title("/x/crio-" + kId + ".scope", *names), "cri-o web");
  EXPECT_EQ(cgroup_title("/kubepods/burstable/pod" + uid, *names), "pod shop front");
  EXPECT_EQ(cgroup_title("/system.slice/a.service", *names), "A");
  EXPECT_EQ(cgroup_title("/system.slice/a.service/b", *names), "b");
}

TEST(CgroupTitle, NamesNeedAnIdAndAName) {
  std::istringstream lines("/a b\n3f2a web\n");
  const auto names = CgroupNames::read(lines);
  ASSERT_FALSE(names);
  EXPECT_EQ(names.error().text,
            "in each line an id of at least 12 digits, or a path, and a name, but line 2 is "
            "\"3f2a web\"");
}

}  // namespace
}  // namespace physmem
