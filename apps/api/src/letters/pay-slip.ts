import type { Brand } from '../features/brand/service.ts';
import type { Fact, Slip, Way } from '../pdf/letter/letter.ts';

/** What is to be paid, and by which ways. */
export interface ToPay {
  readonly amount: string;
  /** Parts and due dates. */
  readonly facts: readonly Fact[];
  /** What the payer gives with a transfer. */
  readonly reference: string | undefined;
  /** Where it can be paid online; undefined where there is no gateway. */
  readonly payLink: string | undefined;
  /** Below the address of the link. */
  readonly linkNote?: string;
}

/** The slip of a letter; undefined where the provider names no way to pay. */
export function slipOf({ companyName, settings }: Brand, toPay: ToPay): Slip | undefined {
  const { amount, facts, reference, payLink, linkNote } = toPay;
  const { bankDetails, paymentInstructions, supportEmail, supportPhone } = settings;
  const online: Way = {
    title: 'Online',
    isLink: true,
    lines: linkNote === undefined ? [] : [linkNote],
  };
  const given = reference === undefined ? [] : ['Always give the reference'];
  const bank: Way = { title: 'Bank transfer', lines: [...bankDetails, ...given] };
  const questions: Way = { title: 'Questions', lines: [supportPhone, supportEmail].filter(Boolean) };
  const ways = [...(payLink === undefined ? [] : [online]), ...(bankDetails.length === 0 ? [] : [bank])];
  const lines = paymentInstructions.split('\n').filter(Boolean);
  if (lines.length > 0) ways.push({ title: ways.length === 0 ? 'How to pay' : 'How else to pay', lines });
  if (ways.length === 0) return undefined;
  return {
    amount: { label: 'Amount due', value: amount },
    facts: [
      ...facts,
      ...(reference === undefined ? [] : [{ label: 'Reference', value: reference }]),
      { label: 'Pay to', value: companyName },
    ],
    ways: [...ways, ...(questions.lines.length === 0 ? [] : [questions])],
    ...(payLink === undefined ? {} : { payLink }),
    linkLabel: `Pay ${amount}`,
  };
}
