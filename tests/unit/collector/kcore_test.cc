// SPDX-License-Identifier: MIT
// What /proc/kcore needs: the kernel's types (BTF), symbols, and memory as an ELF core.
#include <elf.h>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>

#include "collector-proc/kernel/kernel_core.h"
#include "collector-proc/kernel/kernel_symbols.h"
#include "collector-proc/kernel/kernel_types.h"
#include "tests/unit/collector/fixture_tree.h"

namespace physmem::collect {
namespace {

using testing::HasSubstr;

/// Writes BTF record by record.
class Btf {
 public:
  Btf() { names_ += '\0'; }
  std::uint32_t name(std::string_view text) {
    const auto at = static_cast<std::uint32_t>(names_.size());
    names_ += text;
    names_ += '\0';
    return at;
  }
  void words(std::initializer_list<std::uint32_t> words) {
    for (const std::uint32_t word : words) types_.append(reinterpret_cast<const char*>(&word), 4);
  }
  /// Returns the id of the type.
  std::uint32_t type(std::string_view text, std::uint32_t kind, std::uint32_t n,
                     std::uint32_t size_or_type, std::initializer_list<std::uint32_t> tail = {}) {
    words({text.empty() ? 0 : name(text), kind << 24 | n, size_or_type});
    words(tail);
    return ++last_;
  }
  std::vector<char> bytes() const {
    std::string head("\x9F\xEB\x01\x00", 4);
    const std::uint32_t rest[] = {24, 0, static_cast<std::uint32_t>(types_.size()),
                                  static_cast<std::uint32_t>(types_.size()),
                                  static_cast<std::uint32_t>(names_.size())};
    head.append(reinterpret_cast<const char*>(rest), sizeof rest);
    head += types_ + names_;
    return {head.begin(), head.end()};
  }

 private:
  std::string types_, names_;
  std::uint32_t last_ = 0;
};

constexpr std::uint32_t kInt = 1, kPointer = 2, kArray = 3, kStruct = 4, kUnion = 5, kEnum = 6,
                        kTypedef = 8, kEnum64 = 19;

/// struct page { unsigned long flags; union { void *mapping; u32 counts[4]; }; };
/// enum pagetype { PGTY_buddy = 240, NEGATIVE = -1 }; a value above 32 bits
std::vector<char> small_btf() {
  Btf btf;
  const auto number = btf.type("unsigned long", kInt, 0, 8, {64});
  const auto u32 = btf.type("u32", kTypedef, 0, 3);
  btf.type("unsigned int", kInt, 0, 4, {32});
  const auto pointer = btf.type("", kPointer, 0, 0);
  const auto array = btf.type("", kArray, 0, 0, {u32, u32, 4});
  const auto unnamed =
      btf.type("", kUnion, 2, 16, {btf.name("mapping"), pointer, 0, btf.name("counts"), array, 0});
  btf.type("page", kStruct, 2, 24, {btf.name("flags"), number, 0, 0, unnamed, 64});
  btf.type("pagetype", kEnum | 0x80, 2, 4,
           {btf.name("PGTY_buddy"), 240, btf.name("NEGATIVE"), 0xFFFFFFFF});
  btf.type("", kEnum64, 1, 8, {btf.name("LARGE"), 5, 1});
  return btf.bytes();
}

TEST(KernelTypes, FindMembersAlsoOfUnnamedParts) {
  const auto types = KernelTypes::parse(small_btf());
  ASSERT_TRUE(types);
  EXPECT_EQ(types->size_of("page"), 24u);
  EXPECT_EQ(types->member("page", "flags")->offset, 0);
  EXPECT_EQ(types->member("page", "flags")->size, 8);
  EXPECT_EQ(types->member("page", "mapping")->offset, 8);
  EXPECT_EQ(types->member("page", "mapping")->size, 8);
  EXPECT_EQ(types->member("page", "counts")->size, 16);
  EXPECT_FALSE(types->member("page", "other"));
  EXPECT_FALSE(types->member("page", ""));
  EXPECT_FALSE(types->member("folio", "flags"));
  EXPECT_EQ(types->size_of("folio"), 0u);
}

TEST(KernelTypes, FindEnumerators) {
  const auto types = KernelTypes::parse(small_btf());
  ASSERT_TRUE(types);
  EXPECT_EQ(types->enumerator("PGTY_buddy"), 240u);
  EXPECT_EQ(types->enumerator("NEGATIVE"), ~std::uint64_t{0});
  EXPECT_EQ(types->enumerator("LARGE"), (std::uint64_t{1} << 32) + 5);
  EXPECT_EQ(types->enumerator("page"), std::nullopt);
}

TEST(KernelTypes, RejectEveryTruncation) {
  const std::vector<char> whole = small_btf();
  for (std::size_t n = 0; n < whole.size(); ++n)
    EXPECT_FALSE(KernelTypes::parse({whole.begin(), whole.begin() + static_cast<long>(n)})) << n;
}

TEST(KernelTypes, SurviveEveryChangedByte) {
  const std::vector<char> whole = small_btf();
  for (std::size_t i = 0; i < whole.size(); ++i)
    for (const char value : {'\0', '\xFF', '\x7F', '\x04'}) {
      std::vector<char> bytes = whole;
      bytes[i] = value;
      const auto types = KernelTypes::parse(bytes);
      if (types) (void)types->member("page", "counts");
    }
}

TEST(KernelTypes, SearchATypeOnceThatIsContainedManyTimes) {
  Btf btf;
  // Each struct has four members without name of the next one: 4^30 paths to the last.
  constexpr std::uint32_t kLevels = 30;
  btf.type("outer", kStruct, 4, 8, {0, 2, 0, 0, 2, 0, 0, 2, 0, 0, 2, 0});
  for (std::uint32_t next = 3; next < kLevels; ++next)
    btf.type("", kStruct, 4, 8, {0, next, 0, 0, next, 0, 0, next, 0, 0, next, 64});
  btf.type("", kStruct, 1, 8, {btf.name("last"), kLevels, 0});
  btf.type("unsigned int", kInt, 0, 4, {32});
  const auto types = KernelTypes::parse(btf.bytes());
  ASSERT_TRUE(types);
  EXPECT_FALSE(types->member("outer", "missing"));
  ASSERT_TRUE(types->member("outer", "last"));
  EXPECT_EQ(types->member("outer", "last")->size, 4);
}

TEST(KernelTypes, EndAtATypeThatContainsItself) {
  Btf btf;
  btf.type("loop", kStruct, 1, 8, {0, 1, 0});
  btf.type("alias", kTypedef, 0, 2);
  btf.type("holder", kStruct, 1, 8, {btf.name("x"), 2, 0});
  const auto types = KernelTypes::parse(btf.bytes());
  ASSERT_TRUE(types);
  EXPECT_FALSE(types->member("loop", "x"));
  EXPECT_FALSE(types->member("holder", "x"));
}

// The witness is the kernel's own C header: PG_buddy's users and struct list_head have not changed.
TEST(KernelTypes, ReadTheTypesOfThisKernel) {
  std::ifstream file("/sys/kernel/btf/vmlinux", std::ios::binary);
  const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
  if (bytes.empty()) GTEST_SKIP() << "this kernel has no /sys/kernel/btf/vmlinux";
  const auto types = KernelTypes::parse(bytes);
  ASSERT_TRUE(types);
  EXPECT_EQ(types->size_of("list_head"), 16u);
  EXPECT_EQ(types->member("list_head", "prev")->offset, 8);
  EXPECT_EQ(types->member("task_struct", "comm")->size, 16);
  EXPECT_TRUE(types->member("page", "_mapcount"));  // in an unnamed union
  EXPECT_EQ(types->enumerator("PG_locked"), 0u);
}

TEST(KernelSymbols, FindAddressesAndNames) {
  const KernelSymbols symbols(
      "ffffffff81000000 T _stext\nffffffff81000100 t do_work\n"
      "ffffffffc0000010 t init\t[ext4]\nffffffff82000000 D jiffies\n",
      {"do_work", "init", "none"});
  EXPECT_TRUE(symbols.has_addresses());
  EXPECT_EQ(symbols.address("do_work"), 0xffffffff81000100);
  EXPECT_EQ(symbols.address("init"), 0xffffffffc0000010);
  EXPECT_EQ(symbols.address("none"), std::nullopt);
  EXPECT_EQ(symbols.name_of(0xffffffff8100011f), "do_work+0x1f");
  EXPECT_EQ(symbols.name_of(0xffffffff81000000), "_stext+0x0");
  EXPECT_EQ(symbols.name_of(1), std::nullopt);
  EXPECT_EQ(symbols.address("_stext"), std::nullopt) << "was not asked for";
  EXPECT_EQ(symbols.name_of(0xffffffffc0000010), "init+0x0");
}

// The code of a module: text of two pages, then other data, then freed code up to the next module.
TEST(KernelSymbols, NameNothingAfterTheEndOfAFunction) {
  const KernelSymbols symbols(
      "ffffffff81000000 T _stext\nffffffff81000100 t do_work\nffffffff81002000 D jiffies\n"
      "ffffffffc0010000 t read_it\t[a]\nffffffffc0011000 t cleanup_module\t[a]\n"
      "ffffffffc0014000 d table\t[a]\n"
      "ffffffffc001a000 t first\t[b]\nffffffffc001a040 t last\t[b]\n",
      {});
  EXPECT_EQ(symbols.name_of(0xffffffff81001fff), "do_work+0x1eff");
  EXPECT_EQ(symbols.name_of(0xffffffff81002000), std::nullopt) << "jiffies is no function";
  EXPECT_EQ(symbols.name_of(0xffffffffc0010fff), "read_it+0xfff");
  EXPECT_EQ(symbols.name_of(0xffffffffc0011fff), "cleanup_module+0xfff");
  EXPECT_EQ(symbols.name_of(0xffffffffc0012000), std::nullopt);
  EXPECT_EQ(symbols.name_of(0xffffffffc00190b6), std::nullopt) << "freed code of [a]";
  EXPECT_EQ(symbols.name_of(0xffffffffc001a041), "last+0x1");
  EXPECT_EQ(symbols.name_of(0xffffffffc001b000), std::nullopt);
  EXPECT_EQ(symbols.name_of(0xffffffffffffffff), std::nullopt);
}

// On arm64 the code of modules lies below the kernel's.
TEST(KernelSymbols, FindTheFirstOfOneNameInTheFile) {
  const KernelSymbols symbols(
      "ffff800080000000 T _stext\nffff800080000100 t cleanup\nffff800080000200 t cleanup\n"
      "ffff800078000000 t cleanup\t[ext4]\n",
      {"cleanup"});
  EXPECT_EQ(symbols.address("cleanup"), 0xffff800080000100);
  EXPECT_EQ(symbols.name_of(0xffff800078000001), "cleanup+0x1");
}

TEST(KernelSymbols, AreReadPieceByPiece) {
  constexpr std::uint64_t kFirst = 0xffffffff81000000;
  constexpr unsigned kSymbols = 5000;  // 170 kB, several pieces that end within a line
  std::ostringstream text;
  for (unsigned i = 0; i < kSymbols; ++i)
    text << std::hex << kFirst + i * 16 << " t function_" << std::dec << i << '\n';
  FixtureTree tree;
  tree.file("kallsyms", text.str());
  const Result<ProcTree> proc = ProcTree::open(tree.root());
  ASSERT_TRUE(proc);
  const KernelSymbols symbols = KernelSymbols::read(*proc, {"function_4999"});
  EXPECT_EQ(symbols.address("function_4999"), kFirst + 4999 * 16);
  for (unsigned i = 0; i < kSymbols; ++i) {
    const std::string name = "function_" + std::to_string(i);
    EXPECT_EQ(symbols.name_of(kFirst + i * 16 + 15), name + "+0xf");
  }
}

TEST(KernelSymbols, HaveNoAddressesIfTheKernelHidesThem) {
  EXPECT_FALSE(KernelSymbols("0000000000000000 T _stext\n", {}).has_addresses());
  EXPECT_FALSE(KernelSymbols("", {}).has_addresses());
  EXPECT_FALSE(KernelSymbols("no symbols", {}).has_addresses());
}

class KernelCoreTest : public testing::Test {
 protected:
  /// A core with RAM at 1000 (hex), mapped at FFFF888000001000, and a text without RAM.
  std::string core() const {
    Elf64_Ehdr head{};
    std::memcpy(head.e_ident, ELFMAG, SELFMAG);
    head.e_ident[EI_CLASS] = ELFCLASS64;
    head.e_ident[EI_DATA] = ELFDATA2LSB;
    head.e_type = ET_CORE;
    head.e_phoff = sizeof head;
    head.e_phentsize = sizeof(Elf64_Phdr);
    head.e_phnum = 3;
    std::string note;
    const Elf64_Nhdr note_head{11, 63, 0};
    note.append(reinterpret_cast<const char*>(&note_head), sizeof note_head);
    note += std::string("VMCOREINFO\0\0", 12) +
            "NUMBER(A)=-129\nNUMBER(B)=0x1f\nX=y\n"
            "NUMBER(D)=0xfffffc0000000000\n";
    note.resize((note.size() + 3) / 4 * 4, '\0');
    Elf64_Phdr parts[3] = {};
    parts[0].p_type = PT_NOTE;
    parts[0].p_offset = 1024;
    parts[0].p_filesz = note.size();
    parts[1].p_type = PT_LOAD;
    parts[1].p_offset = 2048;
    parts[1].p_vaddr = 0xFFFF888000001000;
    parts[1].p_paddr = 0x1000;
    parts[1].p_memsz = 16;
    parts[2].p_type = PT_LOAD;
    parts[2].p_offset = 2056;
    parts[2].p_vaddr = 0xFFFFFFFF81000000;
    parts[2].p_paddr = ~std::uint64_t{0};
    parts[2].p_memsz = 8;
    std::string file(reinterpret_cast<const char*>(&head), sizeof head);
    file.append(reinterpret_cast<const char*>(parts), sizeof parts);
    file.resize(1024, '\0');
    file += note;
    file.resize(2048, '\0');
    return file + "0123456789ABCDEF";
  }
  Result<KernelCore> open(std::string_view bytes) {
    tree_.file("kcore", bytes);
    const Result<ProcTree> proc = ProcTree::open(tree_.root());
    return KernelCore::open(*proc);
  }
  FixtureTree tree_;
};

TEST_F(KernelCoreTest, ReadsByVirtualAndPhysicalAddress) {
  const auto memory = open(core());
  ASSERT_TRUE(memory);
  char text[9] = {};
  EXPECT_TRUE(memory->read_virtual(0xFFFF888000001002, text, 8));
  EXPECT_STREQ(text, "23456789");
  EXPECT_TRUE(memory->read_physical(0x1008, text, 8));
  EXPECT_STREQ(text, "89ABCDEF");
  EXPECT_TRUE(memory->read_virtual(0xFFFFFFFF81000000, text, 8));
  EXPECT_STREQ(text, "89ABCDEF");
  EXPECT_FALSE(memory->read_virtual(0xFFFF88800000100C, text, 8));  // beyond the end
  EXPECT_FALSE(memory->read_virtual(0xFFFF888000000FFF, text, 8));
  EXPECT_FALSE(memory->read_physical(0x1009, text, 8));
  EXPECT_FALSE(memory->read_physical(~std::uint64_t{0}, text, 1));
}

TEST_F(KernelCoreTest, FindsNumbersOfVmcoreinfo) {
  const auto memory = open(core());
  ASSERT_TRUE(memory);
  EXPECT_EQ(memory->number("NUMBER(A)"), -129);
  EXPECT_EQ(memory->number("NUMBER(B)"), 31);
  EXPECT_EQ(memory->number("NUMBER(D)"), static_cast<std::int64_t>(0xFFFFFC0000000000));
  EXPECT_EQ(memory->number("NUMBER(C)"), std::nullopt);
  EXPECT_EQ(memory->number("X"), std::nullopt);
}

TEST_F(KernelCoreTest, RejectsOtherFiles) {
  EXPECT_THAT(open("no core").error().text, HasSubstr("kcore: found no ELF core"));
  std::string other = core();
  other[EI_CLASS] = ELFCLASS32;
  EXPECT_FALSE(open(other));
  for (std::size_t n = 0; n < sizeof(Elf64_Ehdr) + 3 * sizeof(Elf64_Phdr); n += 7)
    EXPECT_FALSE(open(std::string_view(other).substr(0, n))) << n;
}

TEST_F(KernelCoreTest, SaysThatThereIsNone) {
  const Result<ProcTree> proc = ProcTree::open(tree_.root());
  EXPECT_THAT(KernelCore::open(*proc).error().text, HasSubstr("cannot open"));
}

}  // namespace
}  // namespace physmem::collect
