/* SPDX-License-Identifier: MIT */
/* Uses the library, prints the sum of its values, then waits. */
#include <stdio.h>
#include <unistd.h>

int *nonpic_first(void);
int *nonpic_second(void);
int *nonpic_third(void);
int *nonpic_fourth(void);

int main(void)
{
	printf("%d\n", *nonpic_first() + *nonpic_second() + *nonpic_third() + *nonpic_fourth());
	fflush(stdout);
	alarm(600);	/* ends also if it is not killed */
	pause();
	return 0;
}
