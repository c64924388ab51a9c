# SPDX-License-Identifier: MIT
"""Tests the judge `leaks` with synthetic counts."""

from judge_case import JudgeCase

# Of each of the three files: objects of caches, kB of free memory and vmalloc, areas of vmalloc.
STILL = {"filp": 300, "kmalloc-8": 512, "free": 100_000, "vmalloc": 20_000, "areas": 400}
PER_SLAB = {"filp": 16, "kmalloc-8": 512, "vmap_area": 64}


class Leaks(JudgeCase):
    judge, suffix = "leaks", "leaks-runs"
    input = "test.run: test.run.0, .1, .2"

    def look(self, number: int, use: dict[str, int]) -> list[str]:
        lists = 25
        lines = [f"look {number}", f"VmallocUsed:       {use['vmalloc']} kB", "Slab: 9000 kB",
                 f"MemFree:    {use['free'] - 4 * lists} kB", f"              count: {lists}",
                 f"areas {use['areas']}"]
        return lines + [f"{name} {use.get(name, 0)} {use.get(name, 0)} 8 {per_slab} 1 : tunables 0"
                        f" 0 0 : slabdata 1 1 0" for name, per_slab in PER_SLAB.items()]

    def write_counts(self, name: str = "filp", *grown: int, looks: int = 5) -> None:
        """Three files: the name has grown by these amounts in the first and in both halves."""
        self.write_run("kind=readers readers=1000 page_kb=4")
        for number, more in enumerate((0, *(grown or (0, 0)))):
            # Caches are still too large in all but the third look.
            uses = [STILL | {name: STILL.get(name, 0) + more} for _ in range(looks)]
            for use in uses[:2] + uses[3:]:
                use["filp"] += 64
                use["free"] -= 300
            lines = [self.look(at, use) for at, use in enumerate(uses, 1)]
            self.write(str(number), [line for look in lines for line in look])

    def test_accepts_counts_that_stay(self) -> None:
        self.write_counts()
        self.assert_good()

    def test_accepts_growth_in_one_half(self) -> None:
        self.write_counts("filp", 600, 600)
        self.assert_good()
        self.write_counts("free", -600, -600)
        self.assert_good()

    def test_rejects_cache_that_grew_in_both_halves(self) -> None:
        self.write_counts("filp", 101, 202)
        found = r"filp 300 \(line 25\), 401 \(line 25\), 502 \(line 25\); 16 per slab"
        self.assert_wrong("caches that grew in both halves", "no such item", found)
        self.assert_wrong("no filp is left", "no such item", found)

    def test_rejects_cache_that_the_first_count_lacks(self) -> None:
        self.write_counts("kmalloc-8", 600, 1200)
        self.assert_wrong("caches that grew in both halves", "no such item", "kmalloc-8 512")

    def test_accepts_growth_by_two_slabs(self) -> None:
        self.write_counts("kmalloc-8", 500, 1024)
        self.assert_good()

    def test_accepts_descriptions_of_areas_that_are_not_purged(self) -> None:
        self.write_counts("vmap_area", 500, 1024)
        self.assert_good()

    def test_rejects_references_to_tasks(self) -> None:
        self.write_counts("filp", 17, 34)
        self.assert_wrong("no filp is left", "no such item", "filp 300 .* 317 .* 334 ")

    def test_rejects_free_memory_that_was_lost(self) -> None:
        self.write_counts("free", -501, -1002)
        self.assert_wrong("free memory", "at most 500", "501 and 501: free -100000")

    def test_rejects_memory_of_vmalloc(self) -> None:
        self.write_counts("vmalloc", 501, 1002)
        self.assert_wrong("memory of vmalloc", "at most 500", "501 and 501: VmallocUsed: 20000")

    def test_rejects_areas(self) -> None:
        self.write_counts("areas", 101, 202)
        self.assert_wrong("areas of vmalloc", "at most 100", "101 and 101: areas 400")

    def test_rejects_files_that_are_not_whole(self) -> None:
        self.input = "test.run: name=run"
        self.write_counts(looks=4)
        self.assert_wrong("the files of the run", "whole files", "4 looks, expected 5")
        self.write_counts()
        path = self.folder / "test.run.1"
        path.write_text(path.read_text().replace("areas", "other"))
        self.assert_wrong("the files of the run", "whole files", r"expected \['areas'\]")
