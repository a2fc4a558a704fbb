import { PAGE_SIZE, type PageCase } from './cases.ts';
import { conditions, joined, type Scope, shownColumns, sortOf } from './conditions.ts';

function orderOf(page: PageCase): string {
  const direction = page.isDescending ? 'desc nulls first' : 'asc nulls last';
  return [...sortOf(page).plain, 'u.started_at', 'u.id'].map((column) => `${column} ${direction}`).join(', ');
}

/** As one writes it first: everything sorted, what lies before the page left out. Says too where the rows lie. */
export const plainPage = (page: PageCase, scope: Scope, offset: number): string => `
  select ${shownColumns}, u.started_at::text as started_at_text, u.service_item_id from usage_record u ${joined(scope.customerId)}
   where ${conditions(page, scope).join(' and ')} order by ${orderOf(page)} limit ${PAGE_SIZE} offset ${offset}`;

export const plainCount = (page: PageCase, scope: Scope): string =>
  `select count(*)::int as n from usage_record u where ${conditions(page, scope).join(' and ')}`;
