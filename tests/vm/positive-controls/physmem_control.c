// SPDX-License-Identifier: GPL-2.0-only
/*
 * Has one intentional bug when it is loaded; for guests only. If a checker of the debug kernel does
 * not report it, the checker does not work, and a clean run of physmem_info proves nothing. There
 * is one bug per boot, because lockdep disables itself after its first report.
 */
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/refcount.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/uaccess.h>

/* A size that no other code allocates, so that it can be found in kmemleak's report. */
#define LEAKED_BYTES 4321
#define LEAKS 8

static char *bug = "";
module_param(bug, charp, 0444);
MODULE_PARM_DESC(bug, "oob, after-free, atomic, leak, lock, rcu, shift or refcount");

/* Not constant, because the compiler would warn or omit the operation. */
static int hidden_shift = 40;

/* KASAN: slab-out-of-bounds */
static void out_of_bounds(void)
{
	char *text = kmalloc(32, GFP_KERNEL);

	if (!text)
		return;
	OPTIMIZER_HIDE_VAR(text);
	WRITE_ONCE(text[32], 1);
	kfree(text);
}

/* KASAN: a freed page, like a page table that is freed while it is walked. */
static void after_free(void)
{
	unsigned long page = __get_free_page(GFP_KERNEL);

	if (!page)
		return;
	free_page(page);
	OPTIMIZER_HIDE_VAR(page);
	READ_ONCE(*(char *)page);
}

static void sleep_in_atomic(void)
{
	static DEFINE_SPINLOCK(spin);
	static DEFINE_MUTEX(mutex);

	spin_lock(&spin);
	mutex_lock(&mutex);
	mutex_unlock(&mutex);
	spin_unlock(&spin);
}

/* Leaks several objects, because kmemleak does not report those whose address remains in a register
 * or on a stack. */
static void leak(void)
{
	int i;

	for (i = 0; i < LEAKS; i++) {
		void *lost = kmalloc(LEAKED_BYTES, GFP_KERNEL);

		OPTIMIZER_HIDE_VAR(lost);
	}
}

/* The most likely bug of a collector: a page fault while it holds an mmap_lock. */
static void copy_under_mmap_lock(void)
{
	char __user *at = (char __user *)current->mm->start_stack;
	char c;

	if (copy_from_user(&c, at, 1))
		return;
	mmap_read_lock(current->mm);
	if (copy_to_user(at, &c, 1))
		pr_info("physmem_control: cannot write to the stack\n");
	mmap_read_unlock(current->mm);
}

static void rcu_without_section(void)
{
	static int value;
	static int __rcu *pointer = RCU_INITIALIZER(&value);

	READ_ONCE(*rcu_dereference(pointer));
}

static void shift_too_far(void)
{
	int value = 1;

	OPTIMIZER_HIDE_VAR(hidden_shift);
	value <<= hidden_shift;
	OPTIMIZER_HIDE_VAR(value);
}

static void drop_once_too_often(void)
{
	refcount_t count = REFCOUNT_INIT(1);

	if (refcount_dec_and_test(&count) && refcount_dec_and_test(&count))
		pr_info("physmem_control: the count is 0\n");
}

static const struct {
	const char *name;
	void (*run)(void);
} bugs[] = {
	{ "oob", out_of_bounds },
	{ "after-free", after_free },
	{ "atomic", sleep_in_atomic },
	{ "leak", leak },
	{ "lock", copy_under_mmap_lock },
	{ "rcu", rcu_without_section },
	{ "shift", shift_too_far },
	{ "refcount", drop_once_too_often },
};

static int __init physmem_control_init(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bugs); i++) {
		if (!strcmp(bug, bugs[i].name)) {
			bugs[i].run();
			return 0;
		}
	}
	pr_err("physmem_control: no bug called \"%s\"\n", bug);
	return -EINVAL;
}

static void __exit physmem_control_exit(void)
{
}

module_init(physmem_control_init);
module_exit(physmem_control_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("physmem: one bug, to see that the checkers see it");
