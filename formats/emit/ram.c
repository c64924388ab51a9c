// SPDX-License-Identifier: GPL-2.0-only OR MIT
#include "ram.h"
#include "pieces.h"

#define WORD(name, word) word,
static const char *const words[] = { PM_RAM_CLASSES(WORD) };

const char *pm_ram_class_word(enum pm_ram_class class_)
{
	return words[class_];
}

void pm_emit_zone(struct pm_out *out, const struct pm_zone *zone)
{
	put_text(out, "Z: ");
	put_dec(out, zone->node);
	put_text(out, ", ");
	put_text(out, zone->name);
	put_comma_hex(out, zone->first_pfn);
	put_comma_dec(out, zone->spanned);
	put_comma_dec(out, zone->present);
	put_comma_dec(out, zone->managed);
	put_comma_dec(out, zone->free);
	put_comma_dec(out, zone->percpu_lists);
	put_comma_dec(out, zone->min);
	put_comma_dec(out, zone->low);
	put_comma_dec(out, zone->high);
	put_char(out, '\n');
}

static void put_zone_counter(struct pm_out *out, const struct pm_zone *zone, const char *what,
			     __u64 value)
{
	put_text(out, "zone.");
	put_dec(out, zone->node);
	put_char(out, '.');
	put_text(out, zone->name);
	put_text(out, what);
	put_dec(out, value);
}

void pm_emit_zone_place(struct pm_out *out, const struct pm_zone *zone)
{
	put_text(out, "G: ");
	put_zone_counter(out, zone, ".first=", zone->first_pfn);
	put_text(out, ", ");
	put_zone_counter(out, zone, ".spanned=", zone->spanned);
	put_char(out, '\n');
}

static void put_file_counts(struct pm_out *out, const struct pm_ram_owner *file)
{
	put_comma_dec(out, file->cached);
	if (!file->has_states) {
		put_text(out, ", -, -");
		return;
	}
	put_comma_dec(out, file->dirty);
	put_comma_dec(out, file->writeback);
}

static void put_file(struct pm_out *out, const struct pm_ram_owner *file)
{
	put_text(out, ", file");
	put_comma_name(out, file->file_system);
	put_text(out, ", ");
	put_device(out, file->dev_major, file->dev_minor);
	put_comma_dec(out, file->inode);
	put_comma_dec(out, file->bytes);
	put_comma_dec(out, file->links);
	if (file->build_id.len)
		put_comma_name(out, file->build_id);
	else
		put_text(out, ", -");
	put_comma_name(out, file->name);
	if (file->is_counted)
		put_file_counts(out, file);
}

static void put_owner(struct pm_out *out, const struct pm_ram_owner *owner)
{
	switch (owner->kind) {
	case PM_OWNER_FILE:
		put_file(out, owner);
		break;
	case PM_OWNER_SLAB:
		put_text(out, ", slab");
		put_comma_dec(out, owner->object_bytes);
		put_comma_dec(out, owner->objects_per_slab);
		put_comma_name(out, owner->name);
		break;
	case PM_OWNER_CGROUP:
		put_text(out, ", cgroup");
		put_comma_dec(out, owner->number);
		put_text(out, owner->is_dying ? ", dying" : ", online");
		put_comma_name(out, owner->name);
		break;
	case PM_OWNER_TASK:
		put_text(out, ", task");
		put_comma_dec(out, owner->number);
		put_comma_dec(out, owner->start_time);
		break;
	case PM_OWNER_CODE:
		put_text(out, ", code");
		put_comma_name(out, owner->name);
		break;
	case PM_OWNER_MOUNT:
		put_text(out, ", mount, ");
		put_device(out, owner->dev_major, owner->dev_minor);
		put_comma_name(out, owner->name);
		break;
	}
}

void pm_emit_holder(struct pm_out *out, const struct pm_holder *holder)
{
	put_text(out, "D: ");
	put_dec(out, holder->pid);
	put_comma_dec(out, holder->descriptor);
	put_text(out, ", ");
	put_text(out, holder->kind);
	put_text(out, ", ");
	put_device(out, holder->dev_major, holder->dev_minor);
	put_comma_dec(out, holder->inode);
	put_comma_dec(out, holder->bytes);
	if (holder->has_pages)
		put_comma_dec(out, holder->pages);
	else
		put_text(out, ", -");
	put_comma_name(out, holder->name);
	put_char(out, '\n');
}

/* Frames of a known file have ascending places; elsewhere the place is a property of the run. */
static bool has_rising_place(const struct pm_ram_run *run)
{
	return run->owner && (run->class_ == PM_RAM_FILE || run->class_ == PM_RAM_BLOCK ||
			      run->class_ == PM_RAM_SHMEM);
}

static bool continues(const struct pm_ram_run *last, const struct pm_ram_run *run)
{
	__u64 place = last->place + (has_rising_place(last) ? last->pages : 0);

	return last->pages && run->first_pfn == last->first_pfn + last->pages &&
	       run->class_ == last->class_ && run->owner == last->owner &&
	       run->cgroup == last->cgroup && run->flags == last->flags &&
	       run->count == last->count && run->place == place;
}

static void write_last(struct pm_ram_writer *writer)
{
	const struct pm_ram_run *run = &writer->last;
	struct pm_out *out = writer->out;

	if (!run->pages)
		return;
	put_text(out, "R: ");
	put_hex(out, run->first_pfn);
	put_comma_dec(out, run->pages);
	put_text(out, ", ");
	put_text(out, pm_ram_class_word(run->class_));
	put_comma_dec(out, run->owner);
	put_comma_dec(out, run->cgroup);
	put_comma_hex(out, run->flags);
	put_comma_dec(out, run->count);
	put_comma_hex(out, run->place);
	put_char(out, '\n');
	writer->runs++;
	writer->frames += run->pages;
}

void pm_ram_begin(struct pm_ram_writer *writer, struct pm_out *out)
{
	memset(writer, 0, sizeof(*writer));
	writer->out = out;
}

void pm_ram_put_owner(struct pm_ram_writer *writer, const struct pm_ram_owner *owner)
{
	put_text(writer->out, "O: ");
	put_dec(writer->out, owner->id);
	put_owner(writer->out, owner);
	put_char(writer->out, '\n');
	writer->owners++;
}

void pm_ram_put_run(struct pm_ram_writer *writer, const struct pm_ram_run *run)
{
	if (continues(&writer->last, run)) {
		writer->last.pages += run->pages;
		return;
	}
	write_last(writer);
	writer->last = *run;
}

void pm_ram_end(struct pm_ram_writer *writer)
{
	struct pm_counter sums[3];

	write_last(writer);
	writer->last.pages = 0;
	sums[0] = (struct pm_counter){ "ram.runs", writer->runs };
	sums[1] = (struct pm_counter){ "ram.frames", writer->frames };
	sums[2] = (struct pm_counter){ "ram.owners", writer->owners };
	pm_emit_counters(writer->out, sums, 3);
}
