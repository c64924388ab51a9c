// SPDX-License-Identifier: MIT
// Compares the module's BTF reader with libbpf, which writes the input and reads the kernel's BTF.
extern "C" {
#include "collector-kmod/kernel/btf.h"
}

#include <bpf/btf.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

namespace physmem {
namespace {

struct FreeBtf {
  void operator()(btf* what) const { ::btf__free(what); }
};
using Btf = std::unique_ptr<btf, FreeBtf>;
using Bytes = std::vector<char>;

struct Parameter {
  const char* name;
  int type;
};

class BtfTest : public testing::Test {
 protected:
  int function(const char* name, int returned, const std::vector<Parameter>& parameters) {
    const int prototype = ::btf__add_func_proto(written_.get(), returned);
    for (const Parameter& one : parameters)
      EXPECT_EQ(::btf__add_func_param(written_.get(), one.name, one.type), 0);
    return ::btf__add_func(written_.get(), name, BTF_FUNC_STATIC, prototype);
  }
  int pointer_to(int type) { return ::btf__add_ptr(written_.get(), type); }

  Bytes bytes() const {
    __u32 size = 0;
    const auto* const begin = static_cast<const char*>(::btf__raw_data(written_.get(), &size));
    return {begin, begin + size};
  }

  int argument(const char* name, const char* type) {
    const Bytes all = bytes();
    pm_btf read = {};
    EXPECT_EQ(::pm_btf_open(&read, all.data(), all.size()), 0);
    return ::pm_btf_argument(&read, name, type);
  }
  int returns(const char* name) {
    const Bytes all = bytes();
    pm_btf read = {};
    EXPECT_EQ(::pm_btf_open(&read, all.data(), all.size()), 0);
    return ::pm_btf_returns(&read, name);
  }

  Btf written_{::btf__new_empty()};
  int int_ = ::btf__add_int(written_.get(), "int", 4, BTF_INT_SIGNED);
  int bool_ = ::btf__add_int(written_.get(), "_Bool", 1, BTF_INT_BOOL);
  int long_ = ::btf__add_int(written_.get(), "long unsigned int", 8, 0);
  int fault_t_ = ::btf__add_typedef(written_.get(), "vm_fault_t", int_);
  int folio_ = ::btf__add_struct(written_.get(), "folio", 64);
  int context_ = ::btf__add_fwd(written_.get(), "swap_io_ctx", BTF_FWD_STRUCT);
  int folio_pointer_ = pointer_to(folio_);
  int const_folio_pointer_ = pointer_to(::btf__add_const(written_.get(), folio_));
  int context_pointer_ = pointer_to(context_);
};

TEST_F(BtfTest, FindsThePositionOfAnArgument) {
  function("swap_read_folio", 0,
           {{"folio", folio_pointer_}, {"plug", pointer_to(context_pointer_)}});
  function("__swap_writepage", 0, {{"ctx", context_pointer_}, {"folio", folio_pointer_}});
  function("try_to_unmap_one", bool_, {{"folio", const_folio_pointer_}, {"address", long_}});
  EXPECT_EQ(argument("swap_read_folio", "folio"), 0);
  EXPECT_EQ(argument("__swap_writepage", "folio"), 1);
  EXPECT_EQ(argument("__swap_writepage", "swap_io_ctx"), 0);
  EXPECT_EQ(argument("try_to_unmap_one", "folio"), 0);
  EXPECT_EQ(argument("try_to_unmap_one", "long unsigned int"), 1);
}

TEST_F(BtfTest, RejectsAmbiguousAndMissingArguments) {
  function("split_folio", int_, {{"from", folio_pointer_}, {"to", folio_pointer_}});
  function("folio_put", 0, {{"folio", folio_pointer_}});
  EXPECT_EQ(argument("split_folio", "folio"), -EINVAL) << "either could be meant";
  EXPECT_EQ(argument("folio_put", "page"), -EINVAL);
  EXPECT_EQ(argument("folio_get", "folio"), -ENOENT);
  EXPECT_EQ(argument("folio_pu", "folio"), -ENOENT) << "a prefix of a name is another name";
}

TEST_F(BtfTest, RejectsFunctionsOfOneNameWithDifferentArguments) {
  function("same", 0, {{"folio", folio_pointer_}});
  function("same", 0, {{"it", const_folio_pointer_}});
  EXPECT_EQ(argument("same", "folio"), 0);
  function("same", 0, {{"ctx", context_pointer_}, {"folio", folio_pointer_}});
  EXPECT_EQ(argument("same", "folio"), -EINVAL);
}

TEST_F(BtfTest, ReportsTheSizeOfTheReturnType) {
  function("zswap_store", bool_, {{"folio", folio_pointer_}});
  function("do_swap_page", fault_t_, {});
  function("swap_read_folio", 0, {});
  function("page_folio", folio_pointer_, {});
  EXPECT_EQ(returns("zswap_store"), 1);
  EXPECT_EQ(returns("do_swap_page"), 4);
  EXPECT_EQ(returns("swap_read_folio"), 0);
  EXPECT_EQ(returns("page_folio"), -EINVAL);
  EXPECT_EQ(returns("none"), -ENOENT);
}

TEST_F(BtfTest, RejectsCyclicTypes) {
  const int last = ::btf__add_typedef(written_.get(), "serpent", folio_pointer_ + 100);
  const int circle = ::btf__add_typedef(written_.get(), "ouroboros", last + 1);
  EXPECT_EQ(circle, last + 1);
  function("endless", circle, {{"it", circle}});
  function("missing", last, {{"it", last}});
  EXPECT_EQ(argument("endless", "folio"), -EINVAL);
  EXPECT_EQ(returns("endless"), -EINVAL);
  EXPECT_EQ(argument("missing", "folio"), -EINVAL);
}

/// Cuts the input at each byte, then replaces each byte. Sanitizers detect reads out of bounds.
TEST_F(BtfTest, ReadsNothingOutsideItsInput) {
  function("swap_writeout", int_, {{"ctx", context_pointer_}, {"folio", folio_pointer_}});
  const Bytes all = bytes();
  const auto find_argument = [](const Bytes& bytes) {
    const std::unique_ptr<char[]> copy(new char[bytes.size()]);
    std::copy(bytes.begin(), bytes.end(), copy.get());
    pm_btf read = {};
    if (::pm_btf_open(&read, copy.get(), bytes.size()) != 0) return -EINVAL;
    const int at = ::pm_btf_argument(&read, "swap_writeout", "folio");
    ::pm_btf_returns(&read, "swap_writeout");
    return at;
  };
  ASSERT_EQ(find_argument(all), 1);
  for (std::size_t size = 0; size < all.size(); ++size)
    EXPECT_LT(find_argument({all.begin(), all.begin() + static_cast<std::ptrdiff_t>(size)}), 0)
        << size;
  for (std::size_t i = 0; i < all.size(); ++i)
    for (const int value : {0, 1, 0x7f, 0xff}) {
      Bytes changed = all;
      changed[i] = static_cast<char>(value);
      EXPECT_LT(find_argument(changed), 2) << i;
    }
}

/// Position, according to libbpf, of the argument that is a pointer to `structure` (const ignored).
int libbpf_position(const btf* kernel, const char* function, const std::string& structure) {
  const int id = ::btf__find_by_name_kind(kernel, function, BTF_KIND_FUNC);
  if (id < 0) return -ENOENT;
  const btf_type* const prototype =
      ::btf__type_by_id(kernel, ::btf__type_by_id(kernel, static_cast<__u32>(id))->type);
  for (int i = 0; i < ::btf_vlen(prototype); ++i) {
    const btf_type* type = ::btf__type_by_id(kernel, ::btf_params(prototype)[i].type);
    if (!::btf_is_ptr(type)) continue;
    type = ::btf__type_by_id(kernel, type->type);
    while (::btf_is_mod(type)) type = ::btf__type_by_id(kernel, type->type);
    if (structure == ::btf__name_by_offset(kernel, type->name_off)) return i;
  }
  return -EINVAL;
}

TEST(BtfOfThisKernel, GivesTheSameArgumentPositionsAsLibbpf) {
  std::ifstream in("/sys/kernel/btf/vmlinux", std::ios::binary);
  const Btf kernel(in ? ::btf__load_vmlinux_btf() : nullptr);
  if (!kernel) GTEST_SKIP() << "this kernel has no /sys/kernel/btf/vmlinux";
  const Bytes all{std::istreambuf_iterator<char>(in), {}};
  pm_btf read = {};
  ASSERT_EQ(::pm_btf_open(&read, all.data(), all.size()), 0);
  for (const char* function :
       {"do_swap_page", "swap_read_folio", "swap_readpage", "__swap_writepage", "swap_writeout",
        "try_to_unmap", "try_to_unmap_one", "zswap_store", "handle_mm_fault", "vfs_read"})
    for (const char* structure : {"folio", "page", "vm_fault", "vm_area_struct", "file"})
      EXPECT_EQ(::pm_btf_argument(&read, function, structure),
                libbpf_position(kernel.get(), function, structure))
          << function << " " << structure;
}

}  // namespace
}  // namespace physmem
