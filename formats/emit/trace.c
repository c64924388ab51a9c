// SPDX-License-Identifier: GPL-2.0-only OR MIT
#include "trace.h"
#include "pieces.h"

static void put_signed(struct pm_out *out, __s64 value)
{
	if (value < 0)
		put_char(out, '-');
	put_dec(out, value < 0 ? 0 - (__u64)value : (__u64)value);
}

void pm_emit_trace_header(struct pm_out *out, const struct pm_trace_header *header)
{
	put_text(out, "H: ");
	put_dec(out, PM_TRACE_VERSION);
	put_text(out, ", trace=paging");
	put_key_text(out, ", form=", header->form);
	put_key_text(out, ", arch=", header->arch);
	put_key_dec(out, ", page_size=", header->page_size);
	put_key_text(out, ", kernel=", header->kernel);
	put_key_text(out, ", source=", header->source);
	put_key_dec(out, ", memory_bytes=", header->memory_bytes);
	put_key_dec(out, ", frames_end=", header->frames_end);
	put_text(out, ", wall_offset_ns=");
	put_signed(out, header->wall_offset_ns);
	put_char(out, '\n');
}

void pm_emit_trace_area(struct pm_out *out, const struct pm_trace_area *area)
{
	static const char *const words[] = PM_TRACE_AREA_WORDS;

	put_text(out, "A: ");
	put_dec(out, area->type);
	put_text(out, ", ");
	put_text(out, words[area->kind & 3]);
	put_comma_dec(out, area->slots);
	put_text(out, ", ");
	put_escaped(out, area->name);
	put_char(out, '\n');
}

static void put_comma_known_dec(struct pm_out *out, __u64 value, bool is_known)
{
	put_text(out, ", ");
	if (is_known)
		put_dec(out, value);
	else
		put_char(out, '-');
}

static void put_known_hex(struct pm_out *out, __u64 value)
{
	if (value == PM_PAGING_UNKNOWN)
		put_char(out, '-');
	else
		put_hex(out, value);
}

static void put_comma_known_hex(struct pm_out *out, __u64 value)
{
	put_text(out, ", ");
	put_known_hex(out, value);
}

static void put_slot(struct pm_out *out, const struct pm_paging_record *record)
{
	put_text(out, ", ");
	if (record->swap_type == PM_PAGING_NO_TYPE)
		put_char(out, '-');
	else
		put_dec(out, record->swap_type);
	put_char(out, ':');
	put_known_hex(out, record->slot);
}

static void put_flags(struct pm_out *out, __u32 flags)
{
	static const char *const words[] = PM_TRACE_FLAG_WORDS;
	const char *before = ", ";
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (!(flags >> i & 1))
			continue;
		put_text(out, before);
		put_text(out, words[i]);
		before = " ";
	}
	if (*before == ',')
		put_text(out, ", -");
}

static void put_comm(struct pm_out *out, const char *comm)
{
	struct pm_text text = { comm, 0 };

	while (text.len < PM_PAGING_COMM - 1 && comm[text.len])
		text.len++;
	put_text(out, ", ");
	put_escaped(out, text);
}

static void put_lost(struct pm_out *out, const struct pm_paging_record *record)
{
	put_text(out, "L: ");
	put_dec(out, record->time_ns);
	put_comma_known_dec(out, record->cpu, record->cpu != PM_PAGING_NO_CPU);
	put_comma_dec(out, record->slot);
	put_char(out, '\n');
}

void pm_emit_trace_record(struct pm_out *out, const struct pm_paging_record *record)
{
	if (record->kind == PM_PAGING_LOST) {
		put_lost(out, record);
		return;
	}
	put_text(out, record->kind == PM_PAGING_IN ? "I: " : "O: ");
	put_dec(out, record->sequence);
	put_comma_dec(out, record->time_ns);
	put_comma_known_dec(out, record->cpu, record->cpu != PM_PAGING_NO_CPU);
	put_comma_known_dec(out, record->pid, record->pid);
	put_comma_known_dec(out, record->tgid, record->tgid);
	put_comm(out, record->comm);
	put_comma_known_hex(out, record->address);
	put_comma_known_hex(out, record->pfn);
	put_slot(out, record);
	put_comma_known_hex(out, record->sector);
	put_flags(out, record->flags);
	put_comma_known_dec(out, record->service_ns, record->service_ns != PM_PAGING_UNKNOWN);
	put_char(out, '\n');
}

void pm_emit_trace_end(struct pm_out *out, const struct pm_trace_end *end)
{
	put_text(out, "E: ");
	put_dec(out, end->ins);
	put_comma_dec(out, end->outs);
	put_comma_dec(out, end->lost);
	put_char(out, '\n');
}

/* %0*d */
static void put_padded_dec(struct pm_out *out, __u64 value, int digits)
{
	char *p = reserve(out);
	__u64 least = 10;

	for (; digits > 1; digits--, least *= 10)
		if (value < least)
			*p++ = '0';
	advance(out, p);
	put_dec(out, value);
}

/* %08x */
static void put_lower_hex(struct pm_out *out, __u64 value)
{
	char *p = reserve(out);
	char *end = write_hex(p, value);

	for (; p < end; p++)
		if (*p >= 'A')
			*p = (char)(*p | 0x20);
	advance(out, end);
}

/* %ld.%06d: s and us since 1970. */
static void put_wall_time(struct pm_out *out, __u64 wall_ns)
{
	put_dec(out, wall_ns / 1000000000u);
	put_char(out, '.');
	put_padded_dec(out, wall_ns / 1000u % 1000000u, 6);
}

void pm_emit_paper_line(struct pm_out *out, const struct pm_paging_record *record, __u64 count,
			__s64 wall_offset_ns)
{
	if (record->kind == PM_PAGING_LOST)
		return;
	if (record->kind == PM_PAGING_IN) {
		put_text(out, "pGswAP_iN ");
		put_padded_dec(out, count, 6);
		put_char(out, ' ');
	} else {
		put_text(out, "pGswAPoUT ");
	}
	put_wall_time(out, record->time_ns + (__u64)wall_offset_ns);
	if (record->kind == PM_PAGING_IN) {
		put_char(out, ' ');
		put_padded_dec(out, record->pid, 5);
		put_char(out, ' ');
		put_hex(out, record->address);
	}
	put_char(out, ' ');
	put_hex(out, record->pfn);
	put_char(out, ' ');
	put_lower_hex(out, record->sector);
	put_char(out, '\n');
}
