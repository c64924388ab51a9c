// SPDX-License-Identifier: GPL-2.0-only
#include "memory_monitor.h"

int pm_memory_monitor_init(void)
{
	return 0;
}

void pm_memory_monitor_exit(void)
{
}
