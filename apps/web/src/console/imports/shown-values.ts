import type { QuarantinedEntry } from '@counterfoil/contract/operator/imports/admin-quarantine.ts';

type Value = QuarantinedEntry['values'][number];

/** More would not stand in a row. */
const MOST = 5;

/** The values of a row that are worth a look: those that are wrong first, then the others that say something. */
export const shownValues = (values: readonly Value[]): readonly Value[] =>
  [
    ...values.filter(({ isWrong }) => isWrong),
    ...values.filter(({ isWrong, value }) => !isWrong && value.trim() !== ''),
  ].slice(0, MOST);
