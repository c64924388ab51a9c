// SPDX-License-Identifier: MIT
#include "bpf_copy.h"

#include <errno.h>
#include <linux/bpf.h>
#include <linux/btf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#define RUN_NS 50000		/* a run holds a CPU on kernels without preemption */
#define PARTS_AT_ONCE 16u		/* of a long piece, read together */
#define DATA_BYTES (PM_LIST_BYTES + PARTS_AT_ONCE * PM_ITEM_BYTES)
#define UNROLLED 128		/* the verifier follows each round of a loop with a constant limit */

/* What the program and this process share. */
struct shared {
	__u64 count;		/* items of the list */
	__u64 next;		/* first item that is not read yet */
	__u64 task;
	__u64 unused;
	struct item {
		__u64 at;
		__u32 bytes, place;
		__s64 error;
	} items[PM_ITEMS];
	/*
	 * What lists read in place, then what is copied from here. The last item may begin at the
	 * end.
	 */
	unsigned char data[DATA_BYTES + PM_ITEM_BYTES];
};

struct pm_bpf_copy {
	struct shared *shared;
	int map, program;
	enum pm_copy_way way;
};

#define OF(member) ((__s16)offsetof(struct shared, member))
#define ITEM(member) ((__s16)(offsetof(struct shared, items) + offsetof(struct item, member)))

#define INSTRUCTION(op, dst, src, offset, value) \
	((struct bpf_insn){ .code = (op), .dst_reg = (dst), .src_reg = (src), .off = (offset), \
			    .imm = (__s32)(value) })
#define SET(dst, value) INSTRUCTION(BPF_ALU64 | BPF_MOV | BPF_K, dst, 0, 0, value)
#define COPY(dst, src) INSTRUCTION(BPF_ALU64 | BPF_MOV | BPF_X, dst, src, 0, 0)
#define ADD(dst, value) INSTRUCTION(BPF_ALU64 | BPF_ADD | BPF_K, dst, 0, 0, value)
#define ADD_TO(dst, src) INSTRUCTION(BPF_ALU64 | BPF_ADD | BPF_X, dst, src, 0, 0)
#define SUBTRACT(dst, src) INSTRUCTION(BPF_ALU64 | BPF_SUB | BPF_X, dst, src, 0, 0)
#define MULTIPLY(dst, value) INSTRUCTION(BPF_ALU64 | BPF_MUL | BPF_K, dst, 0, 0, value)
#define AND(dst, value) INSTRUCTION(BPF_ALU64 | BPF_AND | BPF_K, dst, 0, 0, value)
#define LOAD(dst, src, offset) INSTRUCTION(BPF_LDX | BPF_MEM | BPF_DW, dst, src, offset, 0)
#define LOAD_32(dst, src, offset) INSTRUCTION(BPF_LDX | BPF_MEM | BPF_W, dst, src, offset, 0)
#define STORE(dst, offset, src) INSTRUCTION(BPF_STX | BPF_MEM | BPF_DW, dst, src, offset, 0)
#define STORE_VALUE(dst, offset, value) \
	INSTRUCTION(BPF_ST | BPF_MEM | BPF_DW, dst, 0, offset, value)
#define CALL(function) INSTRUCTION(BPF_JMP | BPF_CALL, 0, 0, 0, function)
#define EXIT INSTRUCTION(BPF_JMP | BPF_EXIT, 0, 0, 0, 0)
#define JUMP(offset) INSTRUCTION(BPF_JMP | BPF_JA, 0, 0, offset, 0)
#define IF_ABOVE(dst, value, offset) \
	INSTRUCTION(BPF_JMP | BPF_JGT | BPF_K, dst, 0, offset, value)
#define IF_NOT(dst, value, offset) INSTRUCTION(BPF_JMP | BPF_JNE | BPF_K, dst, 0, offset, value)
#define IF_NOT_BELOW(dst, src, offset) \
	INSTRUCTION(BPF_JMP | BPF_JGE | BPF_X, dst, src, offset, 0)
/* Two instructions. */
#define ADDRESS_OF_MAP(dst, map) \
	INSTRUCTION(BPF_LD | BPF_IMM | BPF_DW, dst, BPF_PSEUDO_MAP_VALUE, 0, map), \
	INSTRUCTION(0, 0, 0, 0, 0)
#define ADDRESS_OF_FUNCTION(dst, offset) \
	INSTRUCTION(BPF_LD | BPF_IMM | BPF_DW, dst, BPF_PSEUDO_FUNC, 0, offset), \
	INSTRUCTION(0, 0, 0, 0, 0)

/*
 * Reads item R7 of the list at R6 and sets R8 to its place. Address, length and place are loaded
 * once, because this process could change them while they are checked. 15 instructions.
 */
#define READ_ITEM \
	COPY(BPF_REG_8, BPF_REG_7), \
	MULTIPLY(BPF_REG_8, sizeof(struct item)), \
	ADD_TO(BPF_REG_8, BPF_REG_6), \
	LOAD(BPF_REG_3, BPF_REG_8, ITEM(at)), \
	LOAD_32(BPF_REG_2, BPF_REG_8, ITEM(bytes)), \
	LOAD_32(BPF_REG_1, BPF_REG_8, ITEM(place)), \
	STORE_VALUE(BPF_REG_8, ITEM(error), -E2BIG), \
	IF_ABOVE(BPF_REG_2, PM_ITEM_BYTES, 5), \
	IF_ABOVE(BPF_REG_1, DATA_BYTES, 4), \
	ADD_TO(BPF_REG_1, BPF_REG_6), \
	ADD(BPF_REG_1, offsetof(struct shared, data)), \
	CALL(BPF_FUNC_probe_read_kernel), \
	STORE(BPF_REG_8, ITEM(error), BPF_REG_0), \
	ADD(BPF_REG_7, 1), \
	STORE(BPF_REG_6, OF(next), BPF_REG_7)

/* With bpf_loop() of Linux 5.17. The second function is called for each item. */
static size_t write_loop(struct bpf_insn *to, int map)
{
	const struct bpf_insn code[] = {
		CALL(BPF_FUNC_get_current_task),
		ADDRESS_OF_MAP(BPF_REG_6, map),
		STORE(BPF_REG_6, OF(task), BPF_REG_0),
		CALL(BPF_FUNC_ktime_get_ns),
		STORE(BPF_REG_10, -8, BPF_REG_0),
		LOAD(BPF_REG_1, BPF_REG_6, OF(count)),
		ADDRESS_OF_FUNCTION(BPF_REG_2, 7),
		COPY(BPF_REG_3, BPF_REG_10),
		ADD(BPF_REG_3, -8),
		SET(BPF_REG_4, 0),
		CALL(BPF_FUNC_loop),
		SET(BPF_REG_0, 0),
		EXIT,
		/* R1: number of the item, R2: where the time of the beginning is. */
		IF_ABOVE(BPF_REG_1, PM_ITEMS - 1, 27),
		COPY(BPF_REG_7, BPF_REG_1),
		COPY(BPF_REG_9, BPF_REG_2),
		ADDRESS_OF_MAP(BPF_REG_6, map),
		READ_ITEM,
		AND(BPF_REG_7, 7),
		IF_NOT(BPF_REG_7, 0, 4),
		CALL(BPF_FUNC_ktime_get_ns),
		LOAD(BPF_REG_1, BPF_REG_9, 0),
		SUBTRACT(BPF_REG_0, BPF_REG_1),
		IF_ABOVE(BPF_REG_0, RUN_NS, 2),
		SET(BPF_REG_0, 0),
		EXIT,
		SET(BPF_REG_0, 1),
		EXIT,
	};

	memcpy(to, code, sizeof(code));
	return sizeof(code) / sizeof(*code);
}

/* For older kernels, and without the JIT. */
static size_t write_unrolled(struct bpf_insn *to, int map)
{
	const struct bpf_insn code[] = {
		CALL(BPF_FUNC_get_current_task),
		ADDRESS_OF_MAP(BPF_REG_6, map),
		STORE(BPF_REG_6, OF(task), BPF_REG_0),
		CALL(BPF_FUNC_ktime_get_ns),
		COPY(BPF_REG_9, BPF_REG_0),
		SET(BPF_REG_7, 0),
		/* Begin of the loop. */
		LOAD(BPF_REG_1, BPF_REG_6, OF(count)),
		IF_NOT_BELOW(BPF_REG_7, BPF_REG_1, 23),
		READ_ITEM,
		IF_ABOVE(BPF_REG_7, UNROLLED - 1, 7),
		COPY(BPF_REG_1, BPF_REG_7),
		AND(BPF_REG_1, 7),
		IF_NOT(BPF_REG_1, 0, -21),
		CALL(BPF_FUNC_ktime_get_ns),
		SUBTRACT(BPF_REG_0, BPF_REG_9),
		IF_ABOVE(BPF_REG_0, RUN_NS, 1),
		JUMP(-25),
		SET(BPF_REG_0, 0),
		EXIT,
	};

	memcpy(to, code, sizeof(code));
	return sizeof(code) / sizeof(*code);
}

static int call_bpf(int command, union bpf_attr *attributes)
{
	long result = syscall(__NR_bpf, command, attributes, sizeof(*attributes));

	return result < 0 ? -errno : (int)result;
}

/*
 * The verifier requires types of functions for a callback. One type serves both functions: int f().
 * The callback must be static, and after the other.
 */
static int load_types(void)
{
	static const char names[] = "\0int\0run\0copy";
	struct {
		struct btf_header head;
		struct {
			struct btf_type type;
			__u32 encoding;
		} number;
		struct btf_type prototype, run, copy;
		char names[sizeof(names)];
	} types = {
		.head = { .magic = BTF_MAGIC, .version = BTF_VERSION,
			  .hdr_len = sizeof(struct btf_header) },
		.number = { { .name_off = 1, .info = BTF_KIND_INT << 24, .size = 4 },
			    BTF_INT_SIGNED << 24 | 32 },
		.prototype = { .info = BTF_KIND_FUNC_PROTO << 24, .type = 1 },
		.run = { .name_off = 5, .info = BTF_KIND_FUNC << 24 | BTF_FUNC_GLOBAL, .type = 2 },
		.copy = { .name_off = 9, .info = BTF_KIND_FUNC << 24 | BTF_FUNC_STATIC, .type = 2 },
	};
	union bpf_attr attributes = { .btf = (__u64)(unsigned long)&types,
				      .btf_size = sizeof(types) };

	memcpy(types.names, names, sizeof(names));
	/* Without the bytes after the names, which align the whole. */
	types.head.type_len = (__u32)(types.names - (char *)&types) - sizeof(types.head);
	types.head.str_off = types.head.type_len;
	types.head.str_len = sizeof(names);
	attributes.btf_size = (__u32)(sizeof(types.head) + types.head.type_len + sizeof(names));
	return call_bpf(BPF_BTF_LOAD, &attributes);
}

/* types: of load_types(), or negative: the program has one function. */
static int load_program(const struct bpf_insn *code, size_t n, __u32 type, int types)
{
	/* The second function follows the only EXIT before the callback. */
	struct bpf_func_info functions[] = { { .insn_off = 0, .type_id = 3 },
					     { .insn_off = 15, .type_id = 4 } };
	union bpf_attr attributes = {
		.prog_type = type,
		.insns = (__u64)(unsigned long)code,
		.insn_cnt = (__u32)n,
		.license = (__u64)(unsigned long)"Dual MIT/GPL",
		.prog_flags = type == BPF_PROG_TYPE_SYSCALL ? BPF_F_SLEEPABLE : 0,
	};

	if (types >= 0) {
		attributes.prog_btf_fd = (__u32)types;
		attributes.func_info = (__u64)(unsigned long)functions;
		attributes.func_info_rec_size = sizeof(*functions);
		attributes.func_info_cnt = 2;
	}
	return call_bpf(BPF_PROG_LOAD, &attributes);
}

static int load_way(const struct pm_bpf_copy *copy, enum pm_copy_way way)
{
	struct bpf_insn code[64];
	int types, program;

	if (way == PM_COPY_UNROLLED)
		return load_program(code, write_unrolled(code, copy->map),
				    BPF_PROG_TYPE_RAW_TRACEPOINT, -1);
	types = load_types();
	if (types < 0)
		return types;
	program = load_program(code, write_loop(code, copy->map),
			       way == PM_COPY_PREEMPTIBLE ? BPF_PROG_TYPE_SYSCALL :
							    BPF_PROG_TYPE_RAW_TRACEPOINT,
			       types);
	close(types);
	return program;
}

static int load_best_program(struct pm_bpf_copy *copy, enum pm_copy_way first)
{
	int program = load_way(copy, first);

	for (copy->way = first; program < 0 && copy->way < PM_COPY_UNROLLED;)
		program = load_way(copy, ++copy->way);
	return program;
}

static int create_map(void)
{
	union bpf_attr attributes = {
		.map_type = BPF_MAP_TYPE_ARRAY,
		.key_size = sizeof(__u32),
		.value_size = sizeof(struct shared),
		.max_entries = 1,
		.map_flags = BPF_F_MMAPABLE,
	};
	int map = call_bpf(BPF_MAP_CREATE, &attributes);

	if (map == -EPERM) {
		/* Before v5.11 (commit 97306be45fbe) maps count as locked memory. */
		struct rlimit limit = { RLIM_INFINITY, RLIM_INFINITY };

		setrlimit(RLIMIT_MEMLOCK, &limit);
		map = call_bpf(BPF_MAP_CREATE, &attributes);
	}
	return map;
}

static size_t mapped_bytes(void)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	return (sizeof(struct shared) + page - 1) / page * page;
}

static int run(struct pm_bpf_copy *copy)
{
	union bpf_attr attributes = { .test.prog_fd = (__u32)copy->program };

	copy->shared->next = 0;
	return call_bpf(BPF_PROG_TEST_RUN, &attributes);
}

int pm_bpf_copy_open(struct pm_bpf_copy **opened, enum pm_copy_way first, char *why, size_t room)
{
	struct pm_bpf_copy *copy = calloc(1, sizeof(*copy));
	const char *what = "a BPF map";
	int error;

	if (!copy)
		return -ENOMEM;
	copy->program = -1;
	copy->map = error = create_map();
	if (error >= 0) {
		void *at = mmap(NULL, mapped_bytes(), PROT_READ | PROT_WRITE, MAP_SHARED, copy->map,
				0);

		copy->shared = at == MAP_FAILED ? NULL : at;
		what = "a BPF program that reads kernel memory";
		copy->program = error = copy->shared ? load_best_program(copy, first) : -errno;
	}
	if (error >= 0) {
		what = "a run of the BPF program";
		error = run(copy);
	}
	if (error < 0) {
		snprintf(why, room, "%s: %s", what, strerror(-error));
		pm_bpf_copy_close(copy);
		return error;
	}
	*opened = copy;
	return 0;
}

void pm_bpf_copy_close(struct pm_bpf_copy *copy)
{
	if (!copy)
		return;
	if (copy->shared)
		munmap(copy->shared, mapped_bytes());
	if (copy->program >= 0)
		close(copy->program);
	if (copy->map >= 0)
		close(copy->map);
	free(copy);
}

enum pm_copy_way pm_bpf_copy_way(const struct pm_bpf_copy *copy)
{
	return copy->way;
}

__u64 pm_bpf_copy_task(const struct pm_bpf_copy *copy)
{
	return copy->shared->task;
}

unsigned char *pm_bpf_copy_bytes(const struct pm_bpf_copy *copy)
{
	return copy->shared->data;
}

static bool is_in_place(const struct shared *shared, const struct pm_item *item)
{
	return (unsigned char *)item->to >= shared->data &&
	       (unsigned char *)item->to < shared->data + PM_LIST_BYTES;
}

/* Gives the first items to the program, as many as have room. Returns their number. */
static size_t give(struct shared *shared, const struct pm_item *items, size_t n)
{
	__u32 place, next = PM_LIST_BYTES;
	size_t i;

	for (i = 0; i < n; i++) {
		if (is_in_place(shared, &items[i])) {
			place = (__u32)((unsigned char *)items[i].to - shared->data);
		} else if (next + items[i].bytes <= DATA_BYTES) {
			place = next;
			next += (items[i].bytes + 7) & ~7u;
		} else {
			break;
		}
		shared->items[i] = (struct item){ items[i].at, items[i].bytes, place, 0 };
	}
	return i;
}

/* Reads the first items, as many as the program does at once. Returns their number. */
static size_t copy_some(struct pm_bpf_copy *copy, struct pm_item *items, size_t n)
{
	size_t at_once = copy->way == PM_COPY_UNROLLED ? UNROLLED : PM_ITEMS, i;
	struct shared *shared = copy->shared;

	n = give(shared, items, n < at_once ? n : at_once);
	shared->count = n;
	if (run(copy) < 0 || shared->next > n)
		shared->next = 0;
	for (i = 0; i < shared->next; i++) {
		items[i].is_read = !shared->items[i].error;
		if (!is_in_place(shared, &items[i]))
			memcpy(items[i].to, shared->data + shared->items[i].place, items[i].bytes);
	}
	return (size_t)shared->next;
}

void pm_bpf_copy_list(struct pm_bpf_copy *copy, struct pm_item *items, size_t n)
{
	size_t done = 0;

	while (done < n) {
		size_t some = copy_some(copy, items + done, n - done);

		if (!some)
			break;
		done += some;
	}
	for (; done < n; done++) {
		items[done].is_read = false;
		memset(items[done].to, 0, items[done].bytes);
	}
}

bool pm_bpf_copy_read(struct pm_bpf_copy *copy, __u64 at, void *to, size_t bytes)
{
	struct pm_item items[PARTS_AT_ONCE];
	bool is_read = true;

	while (bytes && is_read) {
		size_t n, i;

		for (n = 0; n < PARTS_AT_ONCE && bytes; n++) {
			size_t part = bytes < PM_ITEM_BYTES ? bytes : PM_ITEM_BYTES;

			items[n] = (struct pm_item){ .at = at, .bytes = (__u32)part, .to = to };
			at += part;
			to = (char *)to + part;
			bytes -= part;
		}
		pm_bpf_copy_list(copy, items, n);
		for (i = 0; i < n; i++)
			is_read = is_read && items[i].is_read;
	}
	return is_read;
}
