import { formatMoment } from '../lib/values/moment.ts';
import type { SumRow } from '../ui/data/sum-rows.tsx';
import { t } from './outcome/outcome-messages.ts';
import type { Outcome } from './view.ts';

/** What the time of an attempt is called: of what went through, failed, or is on its way. */
export type When = 'fact.paidOn' | 'fact.triedOn' | 'fact.sentOn';

/** Nothing is called paid that is not. */
const methodLabels = {
  'fact.paidOn': 'fact.paidWith',
  'fact.triedOn': 'fact.triedWith',
  'fact.sentOn': 'fact.method',
} as const;

/** Method, time and reference of an attempt; what is not known has no row. */
export function factRows(outcome: Outcome | undefined, when: When): readonly SumRow[] {
  const { method, at, reference } = outcome ?? {};
  const rows: SumRow[] = [];
  if (method) rows.push({ id: 'method', label: t(methodLabels[when]), value: method });
  if (at) rows.push({ id: 'when', label: t(when), value: t('fact.moment', formatMoment(at)) });
  const label = t(when === 'fact.triedOn' ? 'fact.supportReference' : 'fact.reference');
  if (reference) rows.push({ id: 'reference', label, value: reference });
  return rows;
}
