// SPDX-License-Identifier: GPL-2.0-only
#include "btf.h"

#include <linux/errno.h>

#define MAGIC 0xeb9f
/* Bound for chains of typedefs and qualifiers, so that a cycle ends. */
#define MAX_DEPTH 16

struct header {
	__u16 magic;
	__u8 version, flags;
	__u32 size;			/* of this header; offsets count from its end */
	__u32 types_at, types_size;
	__u32 names_at, names_size;
};

/* struct btf_type. Its kind decides what follows it. */
struct record {
	__u32 name;			/* offset into the names */
	__u32 info;			/* members: bits 0 to 15; kind: 24 to 28 */
	__u32 type;			/* the type it refers to; for integers the size in bytes */
};

struct parameter {
	__u32 name, type;
};

/* BTF_KIND_* of include/uapi/linux/btf.h, where v5.10 lacks the later ones. */
enum kind {
	INT = 1, POINTER, ARRAY, STRUCT, UNION, ENUM, FORWARD, TYPEDEF, VOLATILE, CONST,
	RESTRICT, FUNCTION, PROTOTYPE, VARIABLE, SECTION, FLOAT, DECLARATION_TAG, TYPE_TAG,
	ENUM64, KINDS
};

/* Bytes that follow a record: fixed, and per member. */
static const struct {
	__u8 fixed, per_member;
} following[KINDS] = {
	[INT] = { 4, 0 }, [ARRAY] = { 12, 0 }, [STRUCT] = { 0, 12 }, [UNION] = { 0, 12 },
	[ENUM] = { 0, 8 }, [PROTOTYPE] = { 0, sizeof(struct parameter) }, [VARIABLE] = { 4, 0 },
	[SECTION] = { 0, 12 }, [DECLARATION_TAG] = { 4, 0 }, [ENUM64] = { 0, 12 },
};

static unsigned int kind_of(const struct record *record)
{
	return record->info >> 24 & 31;
}

static unsigned int members_of(const struct record *record)
{
	return record->info & 0xffff;
}

static bool is_within(size_t at, size_t bytes, size_t size)
{
	return at <= size && bytes <= size - at;
}

int pm_btf_open(struct pm_btf *btf, const void *data, size_t size)
{
	struct header header;
	const unsigned char *begin = data;

	if (size < sizeof(header))
		return -EINVAL;
	memcpy(&header, data, sizeof(header));
	if (header.magic != MAGIC || header.version != 1)
		return -EINVAL;
	if (header.size < sizeof(header) || header.size > size)
		return -EINVAL;
	begin += header.size;
	size -= header.size;
	if (!is_within(header.types_at, header.types_size, size) ||
	    !is_within(header.names_at, header.names_size, size))
		return -EINVAL;
	*btf = (struct pm_btf){
		.types = begin + header.types_at, .types_size = header.types_size,
		.names = begin + header.names_at, .names_size = header.names_size,
	};
	return 0;
}

/* Position in the list of types. The record at `at` lies within the data with its members. */
struct place {
	size_t at, next;
	struct record record;
};

/* Advances to the next record; false: end of the list, or an unknown kind. */
static bool step(const struct pm_btf *btf, struct place *place)
{
	unsigned int kind;
	size_t bytes;

	place->at = place->next;
	if (!is_within(place->at, sizeof(place->record), btf->types_size))
		return false;
	memcpy(&place->record, btf->types + place->at, sizeof(place->record));
	kind = kind_of(&place->record);
	if (kind < INT || kind >= KINDS)
		return false;
	bytes = sizeof(place->record) + following[kind].fixed +
		(size_t)following[kind].per_member * members_of(&place->record);
	place->next = place->at + bytes;
	return is_within(place->at, bytes, btf->types_size);
}

/* Type ids count records from 1. BTF has no index; passing 150,000 types takes a millisecond. */
static bool find(const struct pm_btf *btf, __u32 id, struct place *place)
{
	place->next = 0;
	while (id > 0 && step(btf, place))
		if (--id == 0)
			return true;
	return false;
}

static bool is_name(const struct pm_btf *btf, __u32 at, const char *name)
{
	size_t bytes = strlen(name) + 1;

	return is_within(at, bytes, btf->names_size) && !memcmp(btf->names + at, name, bytes);
}

/* Finds a type and follows its typedefs and qualifiers. */
static bool find_resolved(const struct pm_btf *btf, __u32 id, struct place *place)
{
	unsigned int depth;

	for (depth = 0; depth < MAX_DEPTH; depth++) {
		if (!find(btf, id, place))
			return false;
		switch (kind_of(&place->record)) {
		case TYPEDEF:
		case VOLATILE:
		case CONST:
		case RESTRICT:
		case TYPE_TAG:
			id = place->record.type;
			continue;
		}
		return true;
	}
	return false;
}

static bool is_type(const struct pm_btf *btf, __u32 id, const char *type)
{
	struct place place;
	unsigned int kind;

	if (!find_resolved(btf, id, &place))
		return false;
	if (kind_of(&place.record) == INT)
		return is_name(btf, place.record.name, type);
	if (kind_of(&place.record) != POINTER || !find_resolved(btf, place.record.type, &place))
		return false;
	kind = kind_of(&place.record);
	return (kind == STRUCT || kind == FORWARD) && is_name(btf, place.record.name, type);
}

static int position_in(const struct pm_btf *btf, const struct place *prototype, const char *type)
{
	const unsigned char *parameters = btf->types + prototype->at + sizeof(struct record);
	struct parameter parameter;
	int position = -EINVAL;
	unsigned int i;

	for (i = 0; i < members_of(&prototype->record); i++) {
		memcpy(&parameter, parameters + i * sizeof(parameter), sizeof(parameter));
		if (!is_type(btf, parameter.type, type))
			continue;
		if (position >= 0)
			return -EINVAL;
		position = (int)i;
	}
	return position;
}

static int bytes_returned(const struct pm_btf *btf, const struct place *prototype,
			  const char *unused)
{
	struct place place;

	(void)unused;
	if (prototype->record.type == 0)
		return 0;
	if (!find_resolved(btf, prototype->record.type, &place))
		return -EINVAL;
	if (kind_of(&place.record) != INT || place.record.type > 16)
		return -EINVAL;
	return (int)place.record.type;
}

/* Evaluates question() for every function of this name. The results must agree. */
static int ask(const struct pm_btf *btf, const char *function, const char *type,
	       int (*question)(const struct pm_btf *, const struct place *, const char *))
{
	struct place place = { .next = 0 }, prototype;
	int answer = -ENOENT;

	while (step(btf, &place)) {
		int found;

		if (kind_of(&place.record) != FUNCTION ||
		    !is_name(btf, place.record.name, function))
			continue;
		if (!find(btf, place.record.type, &prototype) ||
		    kind_of(&prototype.record) != PROTOTYPE)
			return -EINVAL;
		found = question(btf, &prototype, type);
		if (found < 0 || (answer >= 0 && found != answer))
			return -EINVAL;
		answer = found;
	}
	return answer;
}

int pm_btf_argument(const struct pm_btf *btf, const char *function, const char *type)
{
	return ask(btf, function, type, position_in);
}

int pm_btf_returns(const struct pm_btf *btf, const char *function)
{
	return ask(btf, function, NULL, bytes_returned);
}
