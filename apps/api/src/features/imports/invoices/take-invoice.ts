import { formatDecimal, money } from '@counterfoil/domain/money/money.ts';
import type { Tx } from '../../../db/database.ts';
import { findMainHosts } from '../../brand/queries.ts';
import { brandUrl } from '../../brand/service.ts';
import { openPayLink } from '../../pay-links/service.ts';
import type { InvoiceReport } from '../report/report.ts';
import type { Target } from '../whose.ts';
import { lockNamed } from './credits.ts';
import type { ImportedInvoice } from './imported-invoice.ts';
import { findPayLinks, keyOfIdentity, lockCustomers } from './queries.ts';
import { contentHashOf, storedInvoiceOf, supplierKeyOf } from './stored-invoice.ts';
import { takeRound } from './take-round.ts';
import {
  buyersOf,
  type InBooks,
  type InvoiceDeps,
  knownOf,
  namedBy,
  type RefusedInvoice,
  type Taking,
} from './taking.ts';

export type { InvoiceDeps } from './taking.ts';

/** What became of one document. */
export type TakenInvoice =
  | {
      readonly is: 'created' | 'unchanged' | 'updated';
      /** Which one it is in the books, and whose. */
      readonly id: string;
      readonly customerId: string;
      readonly invoice: InvoiceReport;
      readonly warnings: readonly string[];
    }
  | RefusedInvoice;

/**
 * Takes one invoice or credit note into the books, whole, in the caller's transaction. Its identity is supplier,
 * kind and number: the same again changes nothing, something else under the same identity is refused.
 */
export async function takeInvoice(
  tx: Tx,
  deps: InvoiceDeps,
  target: Target,
  invoice: ImportedInvoice,
): Promise<TakenInvoice> {
  const [taken] = await takeInvoices(tx, deps, target, [invoice]);
  if (taken === undefined) throw new Error('of each document something becomes');
  return taken;
}

/**
 * The same of documents in their order, as if one came after the other: as many statements for a hundred as for one, but
 * for credits, each of which has some of its own.
 * @returns what became of each, in their order
 */
export async function takeInvoices(
  tx: Tx,
  deps: InvoiceDeps,
  target: Target,
  invoices: readonly ImportedInvoice[],
): Promise<readonly TakenInvoice[]> {
  const takings = invoices.map((invoice): Taking => {
    const supplierKey = deps.supplierKey ?? supplierKeyOf(invoice);
    return {
      tx,
      deps,
      target,
      invoice,
      stored: storedInvoiceOf(invoice),
      supplierKey,
      contentHash: deps.contentHash ?? contentHashOf(invoice),
      identity: keyOfIdentity({ supplierKey, kind: invoice.kind, number: invoice.number }),
    };
  });
  const known = await knownOf(tx, target, takings);
  const buyers = await buyersOf(
    tx,
    deps,
    target,
    takings.filter(({ identity }) => !known.has(identity)),
  );
  // In orders that everybody keeps to, so that two never wait for each other: first customers, then the invoices of credits.
  await lockCustomers(tx, buyers.values());
  await lockNamed(
    tx,
    [...buyers].flatMap(([taking, customerId]) =>
      namedBy(taking).map((number) => ({ customerId, supplierKey: taking.supplierKey, number })),
    ),
  );
  const done: (InBooks | RefusedInvoice)[] = [];
  for (const round of roundsOf(takings)) done.push(...(await takeRound(round, known, buyers)));
  return reported(takings, done);
}

/**
 * Documents that do not depend on one another, as they follow: the second of one identity has to find the first, and a credit
 * the invoices that it names and the credits of these.
 */
function roundsOf(takings: readonly Taking[]): readonly (readonly Taking[])[] {
  const rounds: Taking[][] = [[]];
  let numbers = new Set<string>();
  for (const taking of takings) {
    const own = [taking.invoice.number, ...namedBy(taking)];
    if (own.some((number) => numbers.has(number))) {
      rounds.push([]);
      numbers = new Set();
    }
    rounds.at(-1)?.push(taking);
    for (const number of own) numbers.add(number);
  }
  return rounds;
}

/** What became of documents, with the links to pay them. */
async function reported(
  takings: readonly Taking[],
  done: readonly (InBooks | RefusedInvoice)[],
): Promise<readonly TakenInvoice[]> {
  const [first] = takings;
  if (first === undefined) return [];
  const { tx, deps, target } = first;
  const isIn = done.filter((one) => one.is !== 'quarantined');
  const again = isIn.filter(({ is }) => is !== 'created');
  const links = await findPayLinks(tx, again);
  const customers = new Set(isIn.map(({ customerId }) => customerId));
  const hosts = await findMainHosts(tx, [...customers], target.resellerId);
  const tokenOf = ({ id, token }: InBooks): string | null => {
    const sealed = links.get(id);
    return sealed === undefined ? token : openPayLink(deps.secrets, sealed, id);
  };
  return takings.flatMap(({ invoice, stored }, at): TakenInvoice[] => {
    const one = done[at];
    if (one === undefined || one.is === 'quarantined') return one === undefined ? [] : [one];
    const { is, id, customerId, warnings } = one;
    const token = tokenOf(one);
    const mainHost = hosts.get(customerId) ?? null;
    return [
      {
        is,
        id,
        customerId,
        warnings,
        invoice: {
          number: invoice.number,
          customerId,
          kind: invoice.kind,
          currency: invoice.currency,
          total: formatDecimal(money(stored.payable, invoice.currency)),
          payLink: token === null ? null : brandUrl({ mainHost }, deps.publicUrl, `/pay/${token}`),
        },
      },
    ];
  });
}
