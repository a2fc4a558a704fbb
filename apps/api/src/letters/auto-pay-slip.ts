import type { Brand } from '../features/brand/service.ts';
import type { CustomerScope } from '../http/requests/scope.ts';
import type { Fact, Slip, Way } from '../pdf/letter/letter.ts';
import { dayText, type Show } from './figures.ts';

/** What auto-pay will take for one invoice, as far as letters tell it; minor units. */
export interface ComingCharge {
  readonly invoiceId: string;
  /** 'YYYY-MM-DD'. */
  readonly chargeOn: string;
  readonly dueMinor: bigint;
  readonly creditMinor: bigint;
  readonly feeMinor: bigint;
  readonly totalMinor: bigint;
  readonly mostMinor: bigint;
  readonly method: string;
  readonly asksNobody: boolean;
}

/** What auto-pay will take of a customer's open invoices in one currency, the first day first. */
export type ComingCharges = (scope: CustomerScope, currency: string) => Promise<readonly ComingCharge[]>;

/** How a customer keeps auto-pay from charging, for mails and letters. */
export const howToStop = ({ asksNobody }: { readonly asksNobody: boolean }): string =>
  asksNobody
    ? 'If you would rather pay another way, pay before that day, or tell us.'
    : 'If you do not want this, switch Auto-Pay off under Settings → Payment Methods before that day, or pay another way.';

/**
 * In the place of a payment slip where auto-pay takes everything: how much, when, and from what.
 * @param charges at least one, the first day first
 * @param isOpen who reads it may not know the customer's methods: they are not named
 */
export function autoPaySlip(
  { companyName, settings }: Brand,
  charges: readonly ComingCharge[],
  about: { readonly reference: string | undefined; readonly isOpen: boolean },
  show: Show,
): Slip {
  const sum = (of: (charge: ComingCharge) => bigint): bigint =>
    charges.reduce((all, charge) => all + of(charge), 0n);
  const [total, credit, fee] = [
    sum(({ totalMinor }) => totalMinor),
    sum(({ creditMinor }) => creditMinor),
    sum(({ feeMinor }) => feeMinor),
  ];
  const days = [...Map.groupBy(charges, ({ chargeOn }) => chargeOn)];
  const [first] = days;
  const isOneDay = days.length === 1;
  const when = isOneDay && first !== undefined ? ` on ${dayOf(first[0])}` : '';
  const method = about.isOpen ? 'your saved payment method' : (charges[0]?.method ?? '');
  const most = sum(({ mostMinor }) => mostMinor);
  const { supportEmail, supportPhone } = settings;
  const facts: [string, string | undefined][] = [
    ...(isOneDay
      ? []
      : days
          .slice(0, 3)
          .map(([day, own]): [string, string] => [
            `On ${dayOf(day)}`,
            show(own.reduce((all, { totalMinor }) => all + totalMinor, 0n)),
          ])),
    ...(credit === 0n && fee === 0n
      ? []
      : [['Due', show(sum(({ dueMinor }) => dueMinor))] as [string, string]]),
    ['Your credit', credit === 0n ? undefined : show(-credit)],
    ['Fee', fee === 0n ? undefined : show(fee)],
    ['Reference', about.reference],
    ['Paid to', companyName],
  ];
  const what =
    total === 0n
      ? `Your credit of ${show(credit)} pays it${when}. Nothing is taken from ${method}.`
      : `We take ${show(total)} from ${method}${when}. There is nothing you have to do.`;
  const otherwise =
    credit > 0n && most > total ? [`${show(most)} at most, if your credit is used before.`] : [];
  const questions: Way = { title: 'Questions', lines: [supportPhone, supportEmail].filter(Boolean) };
  return {
    heading: 'Auto-Pay: no need to pay',
    amount: { label: `To be taken${when}`, value: show(total) },
    facts: facts.flatMap(([label, value]): Fact[] => (value === undefined ? [] : [{ label, value }])),
    ways: [
      { title: 'What happens', lines: [what, ...otherwise, howToStop(charges[0] ?? { asksNobody: false })] },
      ...(questions.lines.length === 0 ? [] : [questions]),
    ],
    linkLabel: '',
  };
}

const dayOf = (day: string): string => dayText(day) ?? day;
