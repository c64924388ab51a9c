// SPDX-License-Identifier: GPL-2.0-only
#include "profile_status.h"

#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/ctype.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/user_namespace.h>

#include "sampler.h"

static struct proc_dir_entry *folder;

/*
 * The user whose quota is charged. In a user namespace one user may have many uids, so the owner
 * of the outermost namespace below the initial one is charged.
 */
static kuid_t payer(const struct cred *cred)
{
	const struct user_namespace *ns = cred->user_ns;

	if (ns == &init_user_ns)
		return cred->uid;
	while (ns->parent != &init_user_ns)
		ns = ns->parent;
	return ns->owner;
}

/* Uses the credentials of the opener, not of the writer, who may have been tricked into writing. */
static int register_for(const struct file *file, pid_t nr)
{
	const struct pm_registrant registrant = {
		.user = payer(file->f_cred),
		.is_privileged = file_ns_capable(file, &init_user_ns, CAP_SYS_RESOURCE),
	};

	return pm_sampler_register(nr, &registrant);
}

/*
 * A command is a letter, blanks, a decimal number, and optional blanks or a newline. Returns 0 or
 * -EINVAL.
 */
static int parse(char *command, size_t length, char *letter, pid_t *nr)
{
	size_t blanks = strspn(command + 1, " \t");
	char *number = command + 1 + blanks;

	*letter = command[0];
	if (strlen(command) != length || !blanks || !isdigit(*number))
		return -EINVAL;
	return kstrtoint(strim(number), 10, nr) ? -EINVAL : 0;
}

static ssize_t status_write(struct file *file, const char __user *from, size_t length,
			    loff_t *position)
{
	char command[32], letter;
	int error;
	pid_t nr;

	if (!length || length >= sizeof(command))
		return -EINVAL;
	if (copy_from_user(command, from, length))
		return -EFAULT;
	command[length] = '\0';
	error = parse(command, length, &letter, &nr);
	if (error)
		return error;
	if (letter == 'R')
		error = register_for(file, nr);
	else if (letter == 'U')
		pm_sampler_unregister(nr);
	else
		error = -EINVAL;
	return error ? error : length;
}

static int status_show(struct seq_file *file, void *unused)
{
	pm_sampler_show(file);
	return 0;
}

static int status_open(struct inode *inode, struct file *file)
{
	return single_open(file, status_show, NULL);
}

static const struct proc_ops operations = {
	.proc_open = status_open,
	.proc_read = seq_read,
	.proc_write = status_write,
	.proc_lseek = seq_lseek,
	.proc_release = single_release,
};

int pm_profile_status_init(void)
{
	folder = proc_mkdir("mp3", NULL);
	if (!folder)
		return -ENOMEM;
	if (proc_create("status", 0666, folder, &operations))
		return 0;
	proc_remove(folder);
	return -ENOMEM;
}

void pm_profile_status_exit(void)
{
	proc_remove(folder);
}
