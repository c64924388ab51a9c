// SPDX-License-Identifier: MIT
// Names of cgroups for people.
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace physmem
