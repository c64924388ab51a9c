// SPDX-License-Identifier: GPL-2.0-only
#include "pte_peek.h"

#include "kernel/compat_tables.h"

bool pm_pte_peek_pmd(pmd_t *pmd, unsigned long va, u64 *pfn)
{
	pmd_t value = pm_pmd_read(pmd);
	pte_t *table;
	pte_t pte;

	if (pmd_none(value) || !pmd_present(value))
		return false;
	if (pm_pmd_is_leaf(value)) {
		*pfn = (pmd_pfn(value) & ~(PMD_SIZE / PAGE_SIZE - 1)) +
		       ((va & ~PMD_MASK) >> PAGE_SHIFT);
		return true;
	}
	if (pm_is_hugepd(pmd_val(value)) || pmd_bad(value))
		return false;
	table = pm_pte_map(&value, va);
	pte = ptep_get(table);
	pm_pte_unmap(table);
	if (!pte_present(pte))
		return false;
	*pfn = pte_pfn(pte);
	return true;
}

bool pm_pte_peek(struct mm_struct *mm, unsigned long va, u64 *pfn)
{
	pgd_t *pgd = pgd_offset(mm, va);
	p4d_t *p4d;
	pud_t *pud;
	pud_t value;

	if (pgd_none(*pgd) || pm_is_hugepd(pgd_val(*pgd)))
		return false;
	p4d = p4d_offset(pgd, va);
	if (p4d_none(*p4d))
		return false;
	pud = pud_offset(p4d, va);
	value = READ_ONCE(*pud);
	if (pud_none(value) || !pud_present(value) || pm_is_hugepd(pud_val(value)) ||
	    pm_pud_is_leaf(value))
		return false;
	return pm_pte_peek_pmd(pm_pmd_offset(pud, value, va), va, pfn);
}
