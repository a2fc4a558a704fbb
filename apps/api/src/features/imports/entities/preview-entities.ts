import type { ImportPreview } from '@counterfoil/contract/operator/imports/admin-imports.ts';
import {
  addMoney,
  formatDecimal,
  isCurrencyCode,
  type Money,
  parseMoney,
  zero,
} from '@counterfoil/domain/money/money.ts';
import { type BulkOutcome, putInBulk } from '../../../bulk/bulk.ts';
import type { Database } from '../../../db/database.ts';
import type { Clock } from '../../../deps.ts';
import { reasonsOf } from '../report/reasons.ts';
import { Rejections } from '../report/rejections.ts';
import { withCustomersByName } from './named-customers.ts';
import { ColumnsMissing, readEntities } from './read-entities.ts';
import { asideOf } from './rows-aside.ts';
import type { TakeEntities } from './take-entities.ts';

/** How many changes are told one by one. */
const MOST_CHANGES = 20;

/** What of a kind is money, and counts once it is new. */
const amountOf: Readonly<Record<string, string>> = {
  invoices: 'payable',
  'external-payments': 'amount',
  adjustments: 'amount',
  charges: 'amount',
};

/**
 * What an import of a file of rows would come to. Each thousand rows are written as an import writes them, and undone at once.
 * @param onOutcomes is told what would become of rows, in file order
 */
export async function previewEntities(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  bytes: AsyncIterable<Uint8Array>,
  { kind, mapping, writer, resellerId, by, onProgress }: Omit<TakeEntities, 'now' | 'runId'>,
  onOutcomes?: (outcomes: readonly BulkOutcome[]) => void,
): Promise<ImportPreview> {
  let [created, updated, unchanged, rows] = [0, 0, 0, 0];
  const rejections = new Rejections();
  const changes: ImportPreview['changes'] = [];
  const sums = new Map<string, Money>();
  const member = amountOf[kind.bulk];
  try {
    await putInBulk(
      { db, clock, isTrial: true },
      writer,
      { resellerId, by },
      withCustomersByName(db, resellerId, readEntities(bytes, kind, mapping)),
      async (outcomes) => {
        for (const outcome of outcomes) {
          const { status, isAdopted } = outcome;
          if (status === 'created' && isAdopted !== true) {
            created += 1;
            if (member !== undefined) addTo(sums, outcome.write, member);
          } else if (status === 'unchanged') unchanged += 1;
          else if (status !== 'refused') updated += 1;
          if (status === 'changed' && changes.length < MOST_CHANGES) changes.push(...changesOf(outcome));
        }
        rejections.add(outcomes.filter(({ status }) => status === 'refused').map(asideOf));
        onOutcomes?.(outcomes);
        rows += outcomes.length;
        await onProgress?.(rows);
      },
    );
  } catch (error) {
    if (!(error instanceof ColumnsMissing)) throw error;
    return failedPreview(error.message);
  }
  return {
    created,
    updated,
    unchanged,
    quarantined: rejections.count,
    amounts: [...sums].map(([currency, sum]) => ({
      currency,
      created: formatDecimal(sum),
      change: formatDecimal(zero(currency)),
    })),
    changes: changes.slice(0, MOST_CHANGES),
    reasons: reasonsOf(rejections.causes, rejections.listed()),
    warnings: [],
  };
}

/** Of a file of which nothing can be taken in. */
export const failedPreview = (reason: string): ImportPreview => ({
  created: 0,
  updated: 0,
  unchanged: 0,
  quarantined: 1,
  amounts: [],
  changes: [],
  reasons: reasonsOf(new Map([['file', 1]]), [{ line: null, cause: 'file', reason }]),
  warnings: [],
});

function addTo(sums: Map<string, Money>, write: unknown, member: string): void {
  const { currency, [member]: amount } = write as Readonly<Record<string, unknown>>;
  if (typeof currency !== 'string' || typeof amount !== 'string' || !isCurrencyCode(currency)) return;
  sums.set(currency, addMoney(sums.get(currency) ?? zero(currency), parseMoney(amount, currency)));
}

/** What of a thing would be another, member by member. */
export function changesOf({ reference, changes = {} }: BulkOutcome): ImportPreview['changes'] {
  const what = reference ?? '';
  const members = Object.keys(changes).flatMap((name) => /^after\.(.+)$/.exec(name)?.[1] ?? []);
  const gone = Object.keys(changes)
    .flatMap((name) => /^before\.(.+)$/.exec(name)?.[1] ?? [])
    .filter((name) => !members.includes(name));
  const told = [...members, ...gone].map((member) => ({
    what,
    member,
    was: String(changes[`before.${member}`] ?? ''),
    is: String(changes[`after.${member}`] ?? ''),
  }));
  return told.length > 0 ? told : [{ what, member: 'content', was: 'other', is: 'as in the file' }];
}
