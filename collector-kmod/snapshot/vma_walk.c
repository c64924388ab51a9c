// SPDX-License-Identifier: GPL-2.0-only
#include "vma_walk.h"

#include <linux/dcache.h>
#include <linux/file.h>
#include <linux/kdev_t.h>
#include <linux/sched/mm.h>

#include "emit/flags.h"
#include "kernel/compat.h"

/* Takes mmap_lock for reading. Returns -ESRCH if the last user of the address space is gone. */
static int lock_mm(struct mm_struct *mm)
{
	if (!mmget_not_zero(mm))
		return -ESRCH;
	if (mmap_read_lock_killable(mm)) {
		mmput(mm);
		return -EINTR;
	}
	return 0;
}

/*
 * If this drops the last reference, the address space is torn down asynchronously: not in the
 * context of the reader, and without its locks.
 */
static void unlock_mm(struct mm_struct *mm)
{
	mmap_read_unlock(mm);
	mmput_async(mm);
}

static __u64 flags_of(struct vm_area_struct *vma, bool is_program)
{
	unsigned long bits = vma->vm_flags;

	return (bits & VM_READ ? PM_VMA_READ : 0) |
	       (bits & VM_WRITE ? PM_VMA_WRITE : 0) |
	       (bits & VM_EXEC ? PM_VMA_EXEC : 0) |
	       (bits & VM_MAYSHARE ? PM_VMA_SHARED : 0) |
	       (bits & VM_GROWSDOWN ? PM_VMA_GROWSDOWN : 0) |
	       (is_program ? PM_VMA_EXECUTABLE : 0);
}

static bool is_program(struct vm_area_struct *vma)
{
	struct file *program;
	bool is;

	if (!vma->vm_file)
		return false;
	rcu_read_lock();
	program = rcu_dereference(vma->vm_mm->exe_file);
	/*
	 * No reference is taken. prctl() may replace the file at any time, and its memory may even
	 * be reused for another file. The inode is only compared.
	 */
	is = program && file_inode(program) == pm_user_inode(vma->vm_file);
	rcu_read_unlock();
	return is;
}

/* Labels VMAs without a file as in /proc/PID/maps, in the same order. */
static void label(struct vm_area_struct *vma, char *name)
{
	const char *special = vma->vm_ops && vma->vm_ops->name ? vma->vm_ops->name(vma) : NULL;
	const char *given = pm_given_name(vma);

	name[0] = '\0';
	if (vma->vm_file) {
		if (given)
			snprintf(name, PATH_MAX, "[anon_shmem:%s]", given);
	} else if (special) {
		strscpy(name, special, PATH_MAX);
	} else if (pm_is_heap(vma)) {
		strscpy(name, "[heap]", PATH_MAX);
	} else if (pm_is_stack(vma)) {
		strscpy(name, "[stack]", PATH_MAX);
	} else if (given) {
		snprintf(name, PATH_MAX, "[anon:%s]", given);
	}
}

/*
 * Reads everything that is available under mmap_lock without formatting a path. Since the previous
 * VMA was written, this one may have grown downwards or merged with it. Then the part below `from`
 * was already written.
 */
static void take_facts(struct vm_area_struct *vma, unsigned long from, struct pm_area *area)
{
	struct pm_vma *record = &area->record;
	const struct inode *inode = vma->vm_file ? pm_user_inode(vma->vm_file) : NULL;

	memset(record, 0, sizeof(*record));
	area->start = max(vma->vm_start, from);
	area->end = vma->vm_end;
	area->is_anonymous = vma_is_anonymous(vma);
	record->start = area->start;
	record->last = vma->vm_end - 1;
	record->prot = pgprot_val(vma->vm_page_prot);
	record->flags = flags_of(vma, is_program(vma));
	record->has_raw_flags = true;
	record->raw_flags = vma->vm_flags;
	if (inode) {
		record->offset = ((__u64)vma->vm_pgoff << PAGE_SHIFT) +
				 (area->start - vma->vm_start);
		record->dev_major = MAJOR(inode->i_sb->s_dev);
		record->dev_minor = MINOR(inode->i_sb->s_dev);
		record->inode = inode->i_ino;
	}
	label(vma, area->name);
	area->file = vma->vm_file && !area->name[0] ? get_file(vma->vm_file) : NULL;
}

int pm_find_area(struct mm_struct *mm, unsigned long from, struct pm_area *area,
		 struct pm_stretch *found, unsigned long *reached)
{
	struct vm_area_struct *vma;
	enum pm_walk_kind kind;
	int error = lock_mm(mm);

	if (error)
		return error;
	vma = find_vma(mm, from);
	if (vma) {
		take_facts(vma, from, area);
		kind = area->end - area->start <= PM_STEP * PAGE_SIZE ? PM_WALK_PAGES :
									PM_WALK_COUNTS;
		*reached = pm_pte_walk(vma, area->start, area->end, kind, found);
	}
	unlock_mm(mm);
	return vma ? 0 : -ENOENT;
}

int pm_walk_area(struct mm_struct *mm, const struct pm_area *area, enum pm_walk_kind kind,
		 struct pm_stretch *found, unsigned long *reached)
{
	struct vm_area_struct *vma;
	unsigned long va = *reached;
	int error = lock_mm(mm);

	if (error)
		return error;
	pm_clear_stretch(found);
	vma = find_vma(mm, va);
	if (!vma || vma->vm_start >= area->end) {
		*reached = area->end;
	} else {
		va = max(va, vma->vm_start);
		*reached = pm_pte_walk(vma, va, min(area->end, vma->vm_end), kind, found);
	}
	unlock_mm(mm);
	return 0;
}

void pm_name_area(struct pm_area *area)
{
	struct pm_text *unit = &area->record.unit;
	char *path = area->name;

	if (area->file) {
		path = d_path(pm_user_path(area->file), area->name, sizeof(area->name));
		fput(area->file);
		area->file = NULL;
		if (IS_ERR(path))
			path = "[path too long]";
	}
	unit->at = path;
	unit->len = strlen(path);
}
