// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/unit/kernel-image/fake_kernel.h"

namespace physmem::crash {
namespace {

constexpr const char* kNotInDump = "[name not in dump], noted";

class Path : public testing::Test {
 protected:
  std::string path_of(std::uint64_t file) {
    const Opened image(kernel);
    const pm_file found = pm_file_of(image.get(), file);
    std::vector<char> buffer(PM_PATH_BYTES, '#');
    const pm_text text = pm_file_path(image.get(), &found, buffer.data());
    return std::string(text.at, text.len) + (image->notes.name_excluded != 0 ? ", noted" : "");
  }
  std::string path_of(Place place) { return path_of(kernel.file_at(place)); }

  FakeKernel kernel;
};

TEST_F(Path, IsSlashForRoot) {
  EXPECT_EQ(path_of(kernel.root()), "/");
}

TEST_F(Path, ContainsAllDirectoriesUpToRoot) {
  EXPECT_EQ(path_of(kernel.walk("/usr/lib/x86_64-linux-gnu/libc.so.6")),
            "/usr/lib/x86_64-linux-gnu/libc.so.6");
}

TEST_F(Path, ContinuesAboveEachMount) {
  kernel.mount(kernel.walk("/srv"));
  kernel.mount(kernel.walk("/srv/user/nested"));
  EXPECT_EQ(path_of(kernel.walk("/srv/user/nested/file")), "/srv/user/nested/file");
  EXPECT_EQ(path_of(kernel.walk("/srv")), "/srv");
}

TEST_F(Path, OmitsHiddenDirectoriesOfBindMount) {
  kernel.mount(kernel.walk("/data"), "/volumes/7");
  EXPECT_EQ(path_of(kernel.walk("/data/file")), "/data/file");
}

TEST_F(Path, MarksDeletedFile) {
  const Place place = kernel.walk("/tmp/gone");
  kernel.put(place.dentry, "dentry.d_hash/hlist_bl_node.pprev", 0);
  EXPECT_EQ(path_of(place), "/tmp/gone (deleted)");
}

TEST_F(Path, BeginsAtDetachedMount) {
  const Place place = kernel.mount(kernel.walk("/media/usb"), "/");
  const Place file = kernel.enter(place, "file");
  kernel.put(place.mount, "mount.mnt_parent", place.mount);
  EXPECT_EQ(path_of(file), "/file");
}

TEST_F(Path, UsesNameOfFileOutsideFileSystem) {
  EXPECT_EQ(path_of(kernel.nameless_file("memfd:wayland, 1", "simple_dname")),
            "/memfd:wayland, 1 (deleted)");
  EXPECT_EQ(path_of(kernel.nameless_file("SYSV00001234", "simple_dname")),
            "/SYSV00001234 (deleted)");
  EXPECT_EQ(path_of(kernel.nameless_file("a file", "driver_dname")), "a file");
}

TEST_F(Path, KnowsFileSystemsThatFormNamesByMagicNumber) {
  const auto named = [&](std::string_view name, std::uint64_t magic) {
    return path_of(kernel.nameless_file(name, "driver_dname", {.inode = 31415, .magic = magic}));
  };
  EXPECT_EQ(named("[perf_event]", 0x09041934), "anon_inode:[perf_event]");
  EXPECT_EQ(named("", 0x50495045), "pipe:[31415]");
  EXPECT_EQ(named("", 0x534F434B), "socket:[31415]");
}

TEST_F(Path, ContainsNameOfDmaBuffer) {
  const std::uint64_t file = kernel.nameless_file("dmabuf", "driver_dname", {.magic = 0x444D4142});
  EXPECT_EQ(path_of(file), "/dmabuf:");
  const std::uint64_t buffer = kernel.allocate("dma_buf");
  kernel.put(buffer, "dma_buf.name", kernel.memory.text("buffer name", "camera"));
  kernel.put(kernel.get(file, "file.f_path/path.dentry"), "dentry.d_fsdata", buffer);
  EXPECT_EQ(path_of(file), "/dmabuf:camera");
}

TEST_F(Path, AcceptsNamesOfUpTo255Bytes) {
  const std::string name(255, '\xC3');
  EXPECT_EQ(path_of(kernel.enter(kernel.root(), name)), "/" + name);
  EXPECT_EQ(path_of(kernel.enter(kernel.root(), name + "x")), kNotInDump);
  EXPECT_EQ(path_of(kernel.enter(kernel.root(), "")), kNotInDump);
  EXPECT_EQ(path_of(kernel.enter(kernel.root(), "a\n|b")), "/a\n|b");
}

TEST_F(Path, HasAtMost4095Bytes) {
  Place place = kernel.root();
  for (int i = 0; i < 15; ++i)
    place = kernel.enter(place, std::string(255, static_cast<char>('a' + i)));
  const std::string rest(254, 'y');
  EXPECT_EQ(path_of(kernel.enter(place, rest)).size(), 4095u);
  EXPECT_EQ(path_of(kernel.enter(place, rest + "y")), "[path too long]");
  for (int i = 0; i < 3000; ++i) place = kernel.enter(place, "z");
  EXPECT_EQ(path_of(place), "[path too long]");
}

TEST_F(Path, ReportsNameThatDumpLacks) {
  const Place place = kernel.walk("/usr/bin/cat");
  const std::uint64_t usr = kernel.walk("/usr").dentry;
  const std::uint64_t name = kernel.get(usr, "dentry.d_name/qstr.name");
  kernel.put(usr, "dentry.d_name/qstr.name", 0x1000);
  EXPECT_EQ(path_of(place), kNotInDump);
  kernel.put(usr, "dentry.d_name/qstr.name", name);
  EXPECT_EQ(path_of(place), "/usr/bin/cat");
  kernel.put(usr, "dentry.d_parent", 0);
  EXPECT_EQ(path_of(place), kNotInDump);
  EXPECT_EQ(path_of(std::uint64_t{0xDEAD000000000100}), kNotInDump);
  EXPECT_EQ(path_of(std::uint64_t{0}), kNotInDump);
}

TEST_F(Path, EndsIfDentriesLoop) {
  const Place place = kernel.walk("/a/b/c");
  kernel.put(kernel.walk("/a").dentry, "dentry.d_parent", kernel.walk("/a/b").dentry);
  EXPECT_EQ(path_of(place), "[path too long]");
}

TEST_F(Path, EndsIfMountsLoop) {
  const Place outer = kernel.mount(kernel.walk("/outer"));
  const Place inner = kernel.mount(kernel.enter(outer, "inner"));
  kernel.put(outer.mount, "mount.mnt_parent", inner.mount);
  kernel.put(outer.mount, "mount.mnt_mountpoint", inner.dentry);
  kernel.put(inner.mount, "mount.mnt_mountpoint", outer.dentry);
  EXPECT_EQ(path_of(kernel.enter(inner, "file")), kNotInDump);
  kernel.put(outer.mount, "mount.mnt_mountpoint", kernel.enter(inner, "x").dentry);
  kernel.put(inner.mount, "mount.mnt_mountpoint", kernel.enter(outer, "y").dentry);
  EXPECT_EQ(path_of(kernel.enter(inner, "file")), kNotInDump);
}

}  // namespace
}  // namespace physmem::crash
