// SPDX-License-Identifier: MIT
#include "option.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>

#include "progress.h"

#define MAX_OPTIONS 15

bool load_number(const char *what, const char *text, long long min, long long max,
		 long long *value)
{
	char *end;

	errno = 0;
	*value = strtoll(text, &end, 10);
	if (errno == 0 && end != text && *end == '\0' && *value >= min && *value <= max)
		return true;
	load_refuse("%s: found \"%s\", expected a whole number from %lld to %lld", what, text,
		    min, max);
	return false;
}

static bool load_decimal(const char *what, const char *text, const struct load_option *option)
{
	const char *unit = option->unit ? option->unit : "seconds";
	char *end;

	*option->seconds = strtod(text, &end);
	/* Written so that "nan" is rejected too. */
	if (end != text && *end == '\0' && *option->seconds >= (double)option->min &&
	    *option->seconds <= (double)option->max)
		return true;
	load_refuse("%s: found \"%s\", expected %s from %lld to %lld", what, text, unit,
		    option->min, option->max);
	return false;
}

static bool take(const struct load_option *option, const char *value)
{
	if (option->flag)
		*option->flag = true;
	else if (option->text)
		*option->text = value;
	else if (option->seconds)
		return load_decimal(option->name, value, option);
	else
		return load_number(option->name, value, option->min, option->max,
				   option->number);
	return true;
}

/* Counts words: 3 for "MB R|L ACCESSES". */
static int count_words(const char *words)
{
	int count = words != NULL;

	for (; words && *words; words++)
		count += *words == ' ';
	return count;
}

static bool refuse_words(int found, char **argv, const char *words)
{
	const int expected = count_words(words);

	if (found > expected)
		load_refuse("found \"%s\", expected %s%s%s (physmem-load --help lists all options)",
			    argv[expected], words ? "only " : "options only", words ? words : "",
			    words ? " and options" : "");
	else
		load_refuse("found %d of the words %s, expected all (physmem-load --help lists all options)",
			    found, words);
	return false;
}

bool load_options(int argc, char **argv, const struct load_option *table, const char *words)
{
	struct option options[MAX_OPTIONS + 1] = {{NULL, 0, NULL, 0}};
	int count;

	for (count = 0; count < MAX_OPTIONS && table[count].name; count++) {
		options[count].name = table[count].name;
		options[count].has_arg = table[count].flag ? no_argument : required_argument;
		options[count].val = count + 1;
	}
	opterr = 0;
	for (;;) {
		const int found = getopt_long(argc, argv, ":", options, NULL);

		if (found < 0)
			break;
		if (found == '?' || found == ':') {
			load_refuse("%s %s (physmem-load --help lists all options)",
				    found == '?' ? "unknown option" : "option without its value:",
				    argv[optind - 1]);
			return false;
		}
		if (!take(&table[found - 1], optarg))
			return false;
	}
	if (argc - optind == count_words(words))
		return true;
	return refuse_words(argc - optind, argv + optind, words);
}
