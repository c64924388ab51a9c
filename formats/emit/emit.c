// SPDX-License-Identifier: GPL-2.0-only OR MIT
#include "emit.h"
#include "pieces.h"

int pm_out_flush(struct pm_out *out)
{
	if (!out->error && out->used)
		out->error = out->flush(out->to, out->buf, out->used);
	out->used = 0;
	return out->error;
}

/* False for default host names, which do not distinguish machines. */
static bool is_given(const char *host)
{
	return host && *host && strcmp(host, "(none)") && strcmp(host, "localhost");
}

void pm_emit_header(struct pm_out *out, const struct pm_header *header)
{
	put_text(out, "H: ");
	put_dec(out, PM_SCHEMA_VERSION);
	put_key_text(out, ", arch=", header->arch);
	put_key_dec(out, ", page_size=", header->page_size);
	put_key_text(out, ", kernel=", header->kernel);
	put_key_text(out, ", collector=", header->collector);
	put_key_dec(out, ", time_ns=", header->time_ns);
	if (header->uptime_ns)
		put_key_dec(out, ", uptime_ns=", header->uptime_ns);
	put_key_dec(out, ", hz=", header->hz);
	put_key_dec(out, ", ram_pages=", header->ram_pages);
	put_text(out, ", phys_mask=");
	put_hex(out, header->phys_mask);
	put_key_text(out, ", pte=", header->pte);
	put_key_text(out, ", prot=", header->prot);
	put_text(out, ", flags=kpf");
	put_key_text(out, ", count=", header->count);
	put_key_text(out, ", pages=", header->pages);
	put_key_text(out, ", pfn=", header->pfn);
	put_key_text(out, ", areas=", header->areas);
	put_key_text(out, ", ram=", header->ram);
	put_key_text(out, ", ram_by=", header->ram_by);
	put_key_text(out, ", files=", header->files);
	if (is_given(header->host))
		put_key_text(out, ", host=", header->host);
	put_key_text(out, ", machine_id=", header->machine_id);
	put_key_text(out, ", boot_id=", header->boot_id);
	if (header->has_sequence)
		put_key_dec(out, ", sequence=", header->sequence);
	put_char(out, '\n');
}

void pm_emit_counters(struct pm_out *out, const struct pm_counter *counters, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		put_text(out, i ? ", " : "G: ");
		put_text(out, counters[i].name);
		put_char(out, '=');
		put_dec(out, counters[i].value);
	}
	if (n)
		put_char(out, '\n');
}

void pm_emit_task(struct pm_out *out, const struct pm_task *task)
{
	size_t columns;

	put_text(out, "T: ");
	for (columns = put_escaped(out, task->comm); columns < 8; columns++)
		put_char(out, ' ');
	put_comma_dec(out, task->pid);
	put_comma_hex(out, task->mm);
	put_comma_dec(out, task->cpu);
	put_comma_dec(out, task->min_flt);
	put_comma_dec(out, task->maj_flt);
	put_comma_dec(out, task->cmin_flt);
	put_comma_dec(out, task->cmaj_flt);
	put_comma_dec(out, task->utime);
	put_comma_dec(out, task->stime);
	put_comma_dec(out, task->tgid);
	put_comma_dec(out, task->start_time);
	put_comma_dec(out, task->ppid);
	put_comma_dec(out, task->uid);
	if (task->is_leader) {
		put_comma_dec(out, task->group_min_flt);
		put_comma_dec(out, task->group_maj_flt);
		put_comma_dec(out, task->group_utime);
		put_comma_dec(out, task->group_stime);
		put_text(out, ", ");
		put_escaped(out, task->cgroup);
	}
	put_char(out, '\n');
}

void pm_emit_vma(struct pm_out *out, const struct pm_vma *vma)
{
	/* In a loop, because each inlined copy takes stack of its own on 32-bit kernels. */
	const __u64 numbers[] = { vma->last, vma->last - vma->start + 1, vma->resident, vma->prot,
				  vma->flags };
	size_t i;

	put_text(out, "V: ");
	put_hex(out, vma->start);
	for (i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		put_comma_hex(out, numbers[i]);
	put_text(out, ", ");
	if (vma->unit.len)
		put_escaped(out, vma->unit);
	else
		put_text(out, "NULL");
	put_comma_hex(out, vma->offset);
	put_text(out, ", ");
	put_device(out, vma->dev_major, vma->dev_minor);
	put_comma_dec(out, vma->inode);
	if (vma->has_raw_flags)
		put_comma_hex(out, vma->raw_flags);
	put_char(out, '\n');
}

void pm_emit_page_counts(struct pm_out *out, const struct pm_page_counts *counts)
{
	put_text(out, "P: ");
	put_dec(out, counts->user);
	put_comma_dec(out, counts->executable);
	put_comma_dec(out, counts->read_only);
	put_comma_dec(out, counts->single_use);
	put_comma_dec(out, counts->shared);
	put_comma_dec(out, counts->swapped);
	if (counts->unlisted)
		put_comma_dec(out, counts->unlisted);
	put_char(out, '\n');
}

void pm_emit_pages_begin(struct pm_out *out)
{
	put_text(out, "M:");
}

#define PM_REST 48u		/* the longest: ", " and 20 digits, ", " and 16 digits, " |" */
#define PM_SHORT_REST 32u	/* enough for count and flags of 32 bits */

/*
 * Parts that most entries share with the previous one: the upper halves of the addresses, count and
 * flags.
 */
struct entry_memory {
	__u32 upper[2];		/* of address and page-table entry */
	char upper_digits[2][8];
	unsigned int upper_length[2];	/* 0 if the upper half is 0 */
	__u64 count, flags;
	char rest[PM_REST];	/* the text after the page-table entry */
	unsigned int rest_length;
};

static void remember_upper(struct entry_memory *last, int which, __u32 upper)
{
	last->upper[which] = upper;
	last->upper_length[which] = upper ? hex_length(upper) : 0;
	if (upper)
		store_digits(last->upper_digits[which],
			     hex_digits(upper) << (64 - 8 * last->upper_length[which]));
}

static void remember_rest(struct entry_memory *last, __u64 count, __u64 flags)
{
	char *p = last->rest;

	last->count = count;
	last->flags = flags;
	*p++ = ',';
	*p++ = ' ';
	p = write_dec(p, count);
	*p++ = ',';
	*p++ = ' ';
	p = write_hex(p, flags);
	*p++ = ' ';
	*p++ = '|';
	last->rest_length = (unsigned int)(p - last->rest);
}

/* Writes the same text as write_hex(). */
static inline char *write_address(char *p, __u64 value, struct entry_memory *last, int which)
{
	__u32 upper = (__u32)(value >> 32);

	if (upper != last->upper[which])
		remember_upper(last, which, upper);
	memcpy(p, last->upper_digits[which], 8);
	p += last->upper_length[which];
	return store_digits(p, hex_digits((__u32)value));
}

void pm_emit_pages(struct pm_out *out, const struct pm_page *pages, size_t n)
{
	struct entry_memory last;
	size_t i;

	if (!n)
		return;
	memset(&last, 0, sizeof(last));
	remember_rest(&last, pages[0].count, pages[0].flags);
	for (i = 0; i < n; i++) {
		char *p = reserve(out);

		if (pages[i].count != last.count || pages[i].flags != last.flags)
			remember_rest(&last, pages[i].count, pages[i].flags);
		*p++ = ' ';
		p = write_address(p, pages[i].va, &last, 0);
		*p++ = '=';
		p = write_address(p, pages[i].pte, &last, 1);
		/*
		 * Bytes copied after the end of the rest are overwritten by the next entry. A
		 * constant length avoids a call of memcpy().
		 */
		if (last.rest_length <= PM_SHORT_REST)
			memcpy(p, last.rest, PM_SHORT_REST);
		else
			memcpy(p, last.rest, last.rest_length);
		advance(out, p + last.rest_length);
	}
}

void pm_emit_pages_end(struct pm_out *out)
{
	put_char(out, '\n');
}

void pm_emit_swapped_begin(struct pm_out *out)
{
	put_text(out, "S:");
}

void pm_emit_swapped(struct pm_out *out, const struct pm_swap *entries, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		put_char(out, ' ');
		put_hex(out, entries[i].va);
		put_char(out, '=');
		put_dec(out, entries[i].type);
		put_char(out, ':');
		put_hex(out, entries[i].offset);
		put_text(out, " |");
	}
}

void pm_emit_swapped_end(struct pm_out *out)
{
	put_char(out, '\n');
}

void pm_emit_end(struct pm_out *out, const struct pm_end *end)
{
	put_text(out, "E: ");
	put_dec(out, end->tasks);
	put_comma_dec(out, end->areas);
	put_comma_dec(out, end->pages);
	put_comma_dec(out, end->swapped);
	put_text(out, ", 0"); /* frame runs (F:), of versions before 2.8 */
	if (end->excluded)
		put_comma_dec(out, end->excluded);
	put_char(out, '\n');
}
