/* SPDX-License-Identifier: MIT */
#include "record_check.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool report_error(struct record_check *check, const char *what)
{
	if (!check->error[0])
		snprintf(check->error, sizeof(check->error), "line %lu, %zu bytes, after %c: %s: \"%.100s\"",
			check->lines + 1, check->length, check->letter ? check->letter : '-', what, check->line);
	return false;
}

/* Whether a record may follow another: each string has a letter and its possible predecessors; '-'
 * is the beginning. */
static bool may_follow(char letter, char before)
{
	static const char *const order[] = {
		"H-", "GHGTPMS", "THGTPMS", "VTPMS", "PVMS", "MP", "SPM", "EHGTPMSF", "FHGTPMSF", NULL
	};
	size_t i;

	for (i = 0; order[i]; i++) {
		if (order[i][0] == letter)
			return strchr(order[i] + 1, before ? before : '-');
	}
	return false;
}

/* Field number `index`, from 0, of a record of decimal numbers. */
static unsigned long number(const char *line, unsigned int index)
{
	const char *at = line + 2;

	while (index-- && at) {
		at = strchr(at, ',');
		at = at ? at + 1 : NULL;
	}
	return at ? strtoul(at, NULL, 10) : 0;
}

/* Ends an area: its P:, the last one if there are two, must match the listed entries. */
static bool end_area(struct record_check *check)
{
	bool right = check->stated_pages == check->area_pages &&
		     check->stated_swapped == check->area_swapped;
	char what[120];

	if (!right) {
		snprintf(what, sizeof(what), "P: has %lu pages and %lu swapped, the lists have %lu and %lu",
			check->stated_pages, check->stated_swapped, check->area_pages, check->area_swapped);
		report_error(check, what);
	}
	check->area_pages = check->area_swapped = check->stated_pages = check->stated_swapped = 0;
	return right;
}

static bool end_snapshot(struct record_check *check)
{
	check->ended = true;
	if (number(check->line, 0) != check->tasks || number(check->line, 1) != check->areas ||
			number(check->line, 2) != check->pages || number(check->line, 3) != check->swapped) {
		char what[120];

		snprintf(what, sizeof(what), "seen were %lu, %lu, %lu, %lu", check->tasks, check->areas,
			check->pages, check->swapped);
		return report_error(check, what);
	}
	return true;
}

static void count_entries(struct record_check *check)
{
	if (check->letter == 'M') {
		check->pages += check->entries;
		check->area_pages += check->entries;
	} else {
		check->swapped += check->entries;
		check->area_swapped += check->entries;
	}
}

static bool take_record(struct record_check *check)
{
	char letter = check->line[0];

	if (!may_follow(letter, check->letter))
		return report_error(check, "a misplaced record");
	if (strchr("GTVE", letter) && strchr("PMS", check->letter) && check->letter && !end_area(check))
		return false;
	check->letter = letter;
	switch (letter) {
	case 'T': check->tasks++; break;
	case 'V': check->areas++; break;
	case 'P':
		check->stated_pages = number(check->line, 0);
		check->stated_swapped = number(check->line, 5);
		break;
	case 'M':
	case 'S': count_entries(check); break;
	case 'E': return end_snapshot(check);
	default: break;
	}
	return true;
}

static bool take_line(struct record_check *check)
{
	const char *line = check->line;

	if (check->ended)
		return report_error(check, "something after the end");
	if (!check->lines && strncmp(line, "H: 2, ", 6))
		return report_error(check, "no header of version 2");
	if (line[1] == ':')
		return take_record(check);
	if (!isxdigit((unsigned char)line[0]) || !strchr("MS", check->letter))
		return report_error(check, "not a record");
	count_entries(check);
	return true;
}

bool record_check_feed(struct record_check *check, const char *bytes, size_t size)
{
	size_t i;

	for (i = 0; i < size && !check->error[0]; i++) {
		char c = bytes[i];

		if (c == '\n') {
			check->line[check->length < sizeof(check->line) ? check->length : sizeof(check->line) - 1] =
				'\0';
			take_line(check);
			check->length = check->entries = 0;
			check->lines++;
			continue;
		}
		if (check->length < sizeof(check->line))
			check->line[check->length] = c;
		check->length++;
		check->entries += c == '=';
		if (c < ' ' || c > '~')
			report_error(check, "a byte that is not text");
	}
	return !check->error[0];
}

bool record_check_finish(struct record_check *check)
{
	if (check->error[0])
		return false;
	if (check->length)
		return report_error(check, "the last line has no end");
	return check->ended || report_error(check, "the snapshot has no E: line");
}
