// SPDX-License-Identifier: GPL-2.0-only
/*
 * Slab caches of frames. struct slab (v5.17) and since v6.8 struct kmem_cache are private to the
 * kernel's mm/, so the places of their members are found by experiment: two caches with a known
 * name and size, each with one object. A place must be the same for both.
 */
#include "slab_owner.h"

#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "owners.h"

/* Bytes of a cache's description that are searched. Its size is private; it is larger than this. */
#define SEARCHED_BYTES 192

/* What a known cache says. Sizes in bytes. */
struct sample {
	const char *name;
	unsigned int object_bytes;
	struct kmem_cache *cache;
	void *object;
};

/* Offsets in bytes. */
struct places {
	size_t cache;		/* in struct page of a slab: pointer to its cache */
	size_t name;		/* in struct kmem_cache: pointer to its name */
	size_t object_bytes;	/* u32 */
	size_t objects;		/* u32: order << 16 | objects of a slab; 0: unknown */
};

static struct places places;
static bool are_known;

static unsigned long word_at(const void *object, size_t offset)
{
	unsigned long word = 0;

	pm_read_safely(&word, object + offset, sizeof(word));
	return word;
}

static u32 number_at(const void *object, size_t offset)
{
	u32 number = 0;

	pm_read_safely(&number, object + offset, sizeof(number));
	return number;
}

static bool has_name(const struct sample *sample, size_t offset)
{
	char name[32];

	return pm_read_name(name, sizeof(name), (const char *)word_at(sample->cache, offset)) &&
	       !strcmp(name, sample->name);
}

/*
 * The number of objects follows from the order of the slab and from the bytes between two objects,
 * which the word before the object size has. Both are checked.
 */
static bool has_objects(const struct sample *sample, size_t object_bytes, size_t offset)
{
	unsigned int order = compound_order(virt_to_head_page(sample->object));
	u32 distance = number_at(sample->cache, object_bytes - sizeof(u32));

	return distance >= sample->object_bytes && distance < 2 * sample->object_bytes &&
	       number_at(sample->cache, offset) == (order << 16 | (PAGE_SIZE << order) / distance);
}

/* The first place that fits this cache; each is 0 if none does. */
static struct places places_in(const struct sample *sample)
{
	const struct page *head = virt_to_head_page(sample->object);
	struct places found = { 0 };
	size_t at;

	for (at = sizeof(long); at < sizeof(*head) && !found.cache; at += sizeof(long))
		if (word_at(head, at) == (unsigned long)sample->cache)
			found.cache = at;
	for (at = sizeof(long); at < SEARCHED_BYTES && !found.name; at += sizeof(long))
		if (has_name(sample, at))
			found.name = at;
	for (at = sizeof(u32); at < SEARCHED_BYTES && !found.object_bytes; at += sizeof(u32))
		if (number_at(sample->cache, at) == sample->object_bytes)
			found.object_bytes = at;
	for (at = found.object_bytes; at && at < SEARCHED_BYTES && !found.objects;
	     at += sizeof(u32))
		if (has_objects(sample, found.object_bytes, at))
			found.objects = at;
	return found;
}

/* A cache with a constructor is never merged with another one, whose name it would have. */
static void construct(void *object)
{
}

static bool make(struct sample *sample)
{
	sample->cache = kmem_cache_create(sample->name, sample->object_bytes, 0, 0, construct);
	sample->object = sample->cache ? kmem_cache_alloc(sample->cache, GFP_KERNEL) : NULL;
	return sample->object;
}

static void destroy(struct sample *sample)
{
	if (sample->object)
		kmem_cache_free(sample->cache, sample->object);
	kmem_cache_destroy(sample->cache);
}

void pm_slab_places_find(void)
{
	/* Sizes that no other number in the description has by chance. */
	struct sample first = { .name = "physmem_place_1", .object_bytes = 1001 };
	struct sample second = { .name = "physmem_place_2", .object_bytes = 603 };
	struct places other;

	if (make(&first) && make(&second)) {
		places = places_in(&first);
		other = places_in(&second);
		are_known = places.cache && places.name && places.object_bytes &&
			    places.cache == other.cache && places.name == other.name &&
			    places.object_bytes == other.object_bytes;
		if (places.objects != other.objects)
			places.objects = 0;
	}
	destroy(&first);
	destroy(&second);
}

static u64 put_cache(struct pm_owners *owners, u64 key, const void *cache, struct page *page)
{
	struct pm_ram_owner owner = {
		.kind = PM_OWNER_SLAB,
		.name.at = owners->path,
		.name.len = pm_read_name(owners->path, NAME_MAX,
					 (const char *)word_at(cache, places.name)),
		.object_bytes = number_at(cache, places.object_bytes),
		.objects_per_slab = places.objects ? number_at(cache, places.objects) & 0xffff : 0,
	};

	/* A cache that is destroyed gives back its slabs first: as long as it has one it exists. */
	if (!owner.name.len ||
	    word_at(compound_head(page), places.cache) != (unsigned long)cache)
		return 0;
	return pm_put_owner(owners, key, PM_RAM_SLAB, &owner);
}

static u64 find_cache(struct pm_owners *owners, const void *cache, struct page *page)
{
	u64 key = pm_owner_key((unsigned long)cache, 2);
	const u64 *name = pm_known_find(&owners->known, key);

	return name ? *name : put_cache(owners, key, cache, page);
}

u64 pm_slab_owner(struct pm_owners *owners, struct page *page, const struct pm_page_copy *copy)
{
	const void *cache;

	if (!are_known)
		return 0;
	cache = *(const void **)((const char *)copy->head + places.cache);
	if (cache && cache != owners->last_cache) {
		owners->last_slab = find_cache(owners, cache, page);
		owners->last_cache = cache;
	}
	return cache ? owners->last_slab >> 8 : 0;
}
