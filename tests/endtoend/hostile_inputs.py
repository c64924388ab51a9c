# SPDX-License-Identifier: MIT
"""Small files that make a reader use much memory. They are valid, but no real machine writes such
files."""

PAGE = 4096


def header(ram_pages=1000, more=""):
    return (
        "H: 2, arch=x86_64, page_size=4096, kernel=6.1.0, collector=proc, "
        f"time_ns=1795224155000000000, uptime_ns=3651977357826, hz=100, ram_pages={ram_pages}, "
        "phys_mask=FFFFFFFFFF000, pte=none, prot=none, flags=kpf, count=mapcount, "
        f"pages=all{more}\n"
    )


def task(pid, mm, name="t"):
    return f"T: {name}, {pid}, {mm:X}, 0, 0, 0, 0, 0, 0, 0, {pid}, 1, 1, 0\n"


def area(start, pages, resident, unit, inode=0, flags="00001005"):
    size = pages * PAGE
    return (
        f"V: {start:X}, {start + size - 1:X}, {size:X}, {resident * PAGE:X}, 0, {flags}, {unit}, "
        f"0, 00:00, {inode}\n"
        f"P: {resident}, {resident}, {resident}, {resident}, 0, 0\n"
    )


def end(tasks=0, areas=0, pages=0):
    return f"E: {tasks}, {areas}, {pages}, 0, 0\n"


def small_snapshot():
    return header() + task(1, 1, "small") + area(0x1000, 1, 0, "/bin/small", 1) + end(1, 1)


def many_tasks(count):
    """Processes without VMAs."""
    yield header()
    for pid in range(1, count + 1):
        yield task(pid, pid)
    yield end(count)


def long_names(count, length=4095):
    """Executable units, each with a unique name of `length` bytes."""
    yield header()
    yield task(1, 1)
    for number in range(count):
        name = f"/{number:08}".ljust(length, "x")
        yield area(0x1000 + 2 * PAGE * number, 1, 0, name, number + 1)
    yield end(1, count)


def scattered_units(count):
    """Segments of executable units, whose pages are 512 pages apart."""
    yield header(1 << 30)
    yield task(1, 1)
    pages, start, step = 64, 0x1000, 512
    for number in range(count):
        yield area(start, pages * step, pages, f"/{number}", number + 1)
        entries = (f"{start + i * step * PAGE:X}={(number * pages + i + 1) * PAGE:X}, 1, 0000086C"
                   for i in range(pages))
        yield "M: " + " | ".join(entries) + " |\n"
        start += (pages * step + 1) * PAGE
    yield end(1, count, count * pages)


def scattered_frames(count, step=4096):
    """One VMA whose frames are `step` frames apart, each with a different use count."""
    yield header()
    yield task(1, 1)
    yield area(0x1000, count, count, "/far", 1).split("P:")[0]
    yield f"P: {count}, {count}, {count}, 0, {count}, 0\n"
    entries = (f"{(i + 1) * PAGE:X}={(i + 1) * step * PAGE:X}, {i % 70000 + 2}, 0000086C"
               for i in range(count))
    yield "M: " + " | ".join(entries) + " |\n"
    yield end(1, 1, count)


def scattered_trace(count, step=2048):
    """Swap-outs whose pages, frames and slots are far apart."""
    yield (
        "H: 1, trace=paging, arch=x86_64, page_size=4096, kernel=6.1.0, source=kmod, "
        "memory_bytes=519045120, frames_end=131040, wall_offset_ns=1763683200000000000\n"
    )
    for swap_type in range(32):
        yield f"A: {swap_type}, partition, 1000000000, /dev/vd{swap_type}\n"
    for i in range(count):
        slot, frame = (i // 32 + 1) * step, (i + 1) * step
        yield (
            f"O: {i + 1}, {8100000000 + i}, 0, 7, 7, work, {(i + 1) * step * PAGE:X}, {frame:X}, "
            f"{i % 32}:{slot:08X}, {slot * 8:X}, io mapped, -\n"
        )
    yield f"E: 0, {count}, 0\n"


def write(path, texts):
    with open(path, "w", encoding="ascii") as file:
        file.writelines(texts)
