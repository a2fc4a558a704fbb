import { money, subtractMoney, zero } from '@counterfoil/domain/money/money.ts';
import { InvoiceStatus } from '@counterfoil/domain/paying/invoice.ts';
import { addDays, type Day } from '@counterfoil/domain/time/dates.ts';
import { loyaltyDiscount, negatedLine, type UsageSum, usageLines } from './bills.ts';
import { type DemoMonth, dueDay, HISTORY_MONTHS, issueDay } from './calendar.ts';
import {
  afterCredit,
  afterPayment,
  type DemoDocument,
  type DemoFate,
  type Draft,
  documentOf,
} from './documents.ts';
import { fixedId } from './random.ts';
import type { UsageScope } from './usage.ts';

/** A document with what happened to it. */
export interface Settled {
  readonly document: DemoDocument;
  /** Received outside of this system, e.g. by bank transfer. */
  readonly payment: { readonly id: string; readonly minor: bigint; readonly at: string } | null;
  /** What a credit note or negative invoice took off which invoice. */
  readonly credit: { readonly id: string; readonly invoiceId: string; readonly minor: bigint } | null;
}

const PAID_AFTER_DAYS = 20;
const CREDITED_AFTER_DAYS = 10;

/** The monthly invoice, and the credit note that followed it where one did. */
export function monthlyDocuments(
  scope: UsageScope,
  month: DemoMonth,
  sums: readonly UsageSum[],
): readonly Settled[] {
  const { customer, brand, subscriptions } = scope;
  const lines = usageLines(scope, month, sums);
  const number = `${brand.prefix}-${issueDay(month).slice(0, 7).replace('-', '')}-${String(customer.ordinal).padStart(3, '0')}`;
  const draft: Draft = {
    customer,
    brand,
    kind: 'invoice',
    number,
    currency: brand.currency,
    id: fixedId(`invoice ${number}`, Date.parse(issueDay(month)), customer.ordinal),
    issuedOn: issueDay(month),
    dueOn: dueDay(month),
    period: { from: month.start, to: month.end },
    agreementId: subscriptions.agreements[0]?.id ?? null,
    lines: [...lines, ...loyaltyDiscount(scope, month, lines)],
  };
  return settle(draft, fateOf(scope, month));
}

/** The newest is open, the third newest overdue, the fourth credited; everything older is settled. */
function fateOf({ customer }: UsageScope, month: DemoMonth): DemoFate {
  const age = HISTORY_MONTHS - 1 - month.index;
  if (age === 0 || age === 2) return 'open';
  if (age === 3) return 'credited';
  if (age === 5 && customer.profile === 'office') return 'creditedInPart';
  if (age === 7 && customer.ordinal % 4 === 1) return 'void';
  if (age === 8 && customer.ordinal % 4 === 2) return 'disputed';
  return 'paid';
}

/** Draws up a document and lets happen to it what shall. */
export function settle(draft: Draft, fate: DemoFate): readonly Settled[] {
  const sent = documentOf(draft);
  switch (fate) {
    case 'open':
      return [{ document: sent, payment: null, credit: null }];
    case 'paid':
      return [paid(sent, sent.payable.minor)];
    case 'partPaid':
      return [paid(sent, sent.payable.minor / 3n)];
    case 'void':
      return [{ document: { ...sent, status: InvoiceStatus.VOID }, payment: null, credit: null }];
    case 'disputed':
      return [{ document: { ...sent, status: InvoiceStatus.DISPUTED }, payment: null, credit: null }];
    case 'credited': {
      const note = creditNoteOf(
        draft,
        draft.lines.length,
        'Billed in error; this credit note takes the invoice back.',
      );
      return [
        { document: afterCredit(sent, sent.payable), payment: null, credit: null },
        creditFor(note, sent.id),
      ];
    }
    case 'creditedInPart': {
      const note = creditNoteOf(draft, 1, 'Goodwill credit for the outage of the month.');
      const credited = money(-note.payable.minor, draft.currency);
      const reduced = afterCredit(sent, credited);
      const left = subtractMoney(sent.payable, credited);
      return [paid(reduced, left.minor), creditFor(note, sent.id)];
    }
  }
}

function paid(document: DemoDocument, minor: bigint): Settled {
  const { currency } = document.payable;
  return {
    document: afterPayment(document, money(minor, currency)),
    payment: {
      id: fixedId(`payment ${document.number}`, Date.parse(document.issuedOn)),
      minor,
      at: `${addDays(document.issuedOn, PAID_AFTER_DAYS)}T09:30:00Z`,
    },
    credit: null,
  };
}

function creditNoteOf(draft: Draft, lineCount: number, note: string): DemoDocument {
  const number = draft.number.replace('-', '-CR-');
  const issuedOn: Day = addDays(draft.issuedOn, CREDITED_AFTER_DAYS);
  const ms = Date.parse(issuedOn);
  return documentOf({
    ...draft,
    kind: 'creditNote',
    id: fixedId(`invoice ${number}`, ms, draft.customer.ordinal),
    number,
    issuedOn,
    note,
    dueOn: null,
    lines: draft.lines.slice(0, lineCount).map((line) => negatedLine(line, fixedId(`credit ${line.id}`, ms))),
    credits: { number: draft.number, issuedOn: draft.issuedOn },
  });
}

const creditFor = (note: DemoDocument, invoiceId: string): Settled => ({
  document: note,
  payment: null,
  credit: {
    id: fixedId(`applied ${note.number}`, Date.parse(note.issuedOn)),
    invoiceId,
    minor: zero(note.payable.currency).minor - note.payable.minor,
  },
});
