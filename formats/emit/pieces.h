/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Building blocks of record lines: numbers, names, keys. Included only by formats/emit, and by
 * formats/compact, which reproduces the same text.
 */
#ifndef PM_PIECES_H
#define PM_PIECES_H

#include "out.h"
#include "records.h"

/*
 * Maximum bytes of a piece. The longest, an M: entry, has 3 x 16 hex digits, 20 decimal digits and
 * separators.
 */
#define PM_PIECE 80u

/*
 * Returns where to write the next piece, of at most PM_PIECE bytes. The caller then calls
 * advance().
 */
static inline char *reserve(struct pm_out *out)
{
	if (out->size - out->used < PM_PIECE)
		pm_out_flush(out);
	return out->buf + out->used;
}

static inline void advance(struct pm_out *out, const char *end)
{
	out->used = (size_t)(end - out->buf);
}

static inline void put_char(struct pm_out *out, char c)
{
	char *p = reserve(out);

	*p = c;
	advance(out, p + 1);
}

static inline void put_text(struct pm_out *out, const char *text)
{
	size_t left = strlen(text);

	while (left) {
		size_t n = left < PM_PIECE ? left : PM_PIECE;
		char *p = reserve(out);

		memcpy(p, text, n);
		advance(out, p + n);
		text += n;
		left -= n;
	}
}

/*
 * Converts to eight hex digits at once, with the first in the highest byte. The nibbles of the
 * value are spread over the bytes of a word, then each byte becomes its digit. Most of the text of
 * a snapshot is hex digits, so this dominates its cost.
 */
static inline __u64 hex_digits(__u32 value)
{
	__u64 x = value;
	__u64 letters;

	x = (x | x << 16) & 0x0000ffff0000ffffull;
	x = (x | x << 8) & 0x00ff00ff00ff00ffull;
	x = (x | x << 4) & 0x0f0f0f0f0f0f0f0full;
	letters = (x + 0x0606060606060606ull) >> 4 & 0x0101010101010101ull;
	return x + 0x3030303030303030ull + letters * ('A' - '9' - 1);
}

/* Without a loop, compilers turn this into a byte swap and a store. */
static inline char *store_digits(char *p, __u64 digits)
{
	p[0] = (char)(digits >> 56);
	p[1] = (char)(digits >> 48);
	p[2] = (char)(digits >> 40);
	p[3] = (char)(digits >> 32);
	p[4] = (char)(digits >> 24);
	p[5] = (char)(digits >> 16);
	p[6] = (char)(digits >> 8);
	p[7] = (char)digits;
	return p + 8;
}

/* Number of hex digits of a value, at least one. */
static inline unsigned int hex_length(__u32 value)
{
	return (35u - (unsigned int)__builtin_clz(value | 1)) / 4;
}

/*
 * Writes at least eight digits, more if the value needs them. The upper ones are also stored as
 * eight; the lower ones overwrite the surplus.
 */
static inline char *write_hex(char *p, __u64 value)
{
	__u32 high = (__u32)(value >> 32);
	unsigned int length;

	if (high) {
		length = hex_length(high);
		store_digits(p, hex_digits(high) << (64 - 8 * length));
		p += length;
	}
	return store_digits(p, hex_digits((__u32)value));
}

/*
 * Uses no division by a variable and no 64-bit division, because 32-bit kernels have neither an
 * instruction nor a library function for it.
 */
static inline char *write_small_dec(char *p, __u32 value)
{
	char digits[10];
	int n = 0;

	do {
		digits[n++] = (char)('0' + value % 10);
		value /= 10;
	} while (value);
	while (n)
		*p++ = digits[--n];
	return p;
}

/*
 * Decimal of 64 bits by repeated doubling in base 10^9 (three limbs hold 27 digits): only 32-bit
 * divisions, see above. Counts above 2^32 are rare, so its cost does not matter.
 */
static inline char *write_large_dec(char *p, __u64 value)
{
	__u32 limb[3] = { 0, 0, 0 };
	__u32 carry, pad;
	int bit, i;

	for (bit = 63; bit >= 0; bit--) {
		carry = (__u32)(value >> bit) & 1;
		for (i = 0; i < 3; i++) {
			limb[i] = limb[i] * 2 + carry;
			carry = limb[i] >= 1000000000u;
			if (carry)
				limb[i] -= 1000000000u;
		}
	}
	for (i = 2; i && !limb[i]; i--)
		;
	p = write_small_dec(p, limb[i]);
	while (i--) {
		for (pad = 100000000u; pad > limb[i] && pad > 1; pad /= 10)
			*p++ = '0';
		p = write_small_dec(p, limb[i]);
	}
	return p;
}

static inline char *write_dec(char *p, __u64 value)
{
	if (value < 10) {
		*p = (char)('0' + value);
		return p + 1;
	}
	return value >> 32 ? write_large_dec(p, value) : write_small_dec(p, (__u32)value);
}

static inline void put_hex(struct pm_out *out, __u64 value)
{
	advance(out, write_hex(reserve(out), value));
}

static inline void put_dec(struct pm_out *out, __u64 value)
{
	advance(out, write_dec(reserve(out), value));
}

static inline void put_comma_hex(struct pm_out *out, __u64 value)
{
	put_text(out, ", ");
	put_hex(out, value);
}

static inline void put_comma_dec(struct pm_out *out, __u64 value)
{
	put_text(out, ", ");
	put_dec(out, value);
}

/*
 * Characters that would end a field or a line, or that are not printable. A space is escaped at
 * either end of a text, where padding is stripped.
 */
static inline bool needs_escape(unsigned char c, bool at_edge)
{
	return (unsigned char)(c - ' ') > '~' - ' ' || c == ',' || c == '|' || c == '\\' ||
	       (c == ' ' && at_edge);
}

static inline char *write_escaped(char *p, unsigned char c)
{
	*p++ = '\\';
	*p++ = (char)('0' + (c >> 6));
	*p++ = (char)('0' + (c >> 3 & 7));
	*p++ = (char)('0' + (c & 7));
	return p;
}

/* Returns the columns written. */
static inline size_t put_escaped(struct pm_out *out, struct pm_text text)
{
	size_t columns = 0;
	size_t i = 0;

	while (i < text.len) {
		size_t end = text.len - i < PM_PIECE / 4 ? text.len : i + PM_PIECE / 4;
		char *begin = reserve(out);
		char *p = begin;

		for (; i < end; i++) {
			unsigned char c = (unsigned char)text.at[i];

			if (needs_escape(c, i == 0 || i + 1 == text.len))
				p = write_escaped(p, c);
			else
				*p++ = (char)c;
		}
		columns += (size_t)(p - begin);
		advance(out, p);
	}
	return columns;
}

/* Writes as many digits as the value needs, but at least shift / 4 + 1. */
static inline char *write_short_hex(char *p, __u32 value, int shift)
{
	while (shift < 28 && value >> shift >> 4)
		shift += 4;
	for (; shift >= 0; shift -= 4)
		*p++ = "0123456789ABCDEF"[value >> shift & 15];
	return p;
}

static inline void put_device(struct pm_out *out, __u32 major, __u32 minor)
{
	char *p = write_short_hex(reserve(out), major, 4);

	*p++ = ':';
	advance(out, write_short_hex(p, minor, 4));
}

static inline void put_comma_name(struct pm_out *out, struct pm_text name)
{
	put_text(out, ", ");
	put_escaped(out, name);
}

static inline void put_key_text(struct pm_out *out, const char *key, const char *value)
{
	struct pm_text text = { value, 0 };

	if (!value)
		return;
	text.len = strlen(value);
	put_text(out, key);
	put_escaped(out, text);
}

static inline void put_key_dec(struct pm_out *out, const char *key, __u64 value)
{
	put_text(out, key);
	put_dec(out, value);
}

#endif
