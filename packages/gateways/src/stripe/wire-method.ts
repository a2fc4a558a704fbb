/** Stripe's payment methods as saved methods. Pure. */
import * as z from 'zod/mini';
import type { Method, SealedBag } from '../port.ts';

const nullishText = z.nullish(z.string());

const methodReply = z.looseObject({
  object: z.literal('payment_method'),
  id: z.string().check(z.regex(/^pm_/), z.maxLength(255)),
  type: z.string(),
  customer: z.nullish(z.unknown()),
  billing_details: z.nullish(z.looseObject({ name: nullishText, email: nullishText })),
  card: z.nullish(
    z.looseObject({
      brand: nullishText,
      last4: nullishText,
      exp_month: z.nullish(z.int()),
      exp_year: z.nullish(z.int()),
      fingerprint: nullishText,
      funding: nullishText,
    }),
  ),
  au_becs_debit: z.nullish(
    z.looseObject({ bsb_number: nullishText, last4: nullishText, fingerprint: nullishText }),
  ),
  us_bank_account: z.nullish(
    z.looseObject({
      routing_number: nullishText,
      last4: nullishText,
      bank_name: nullishText,
      account_type: nullishText,
      fingerprint: nullishText,
    }),
  ),
  bacs_debit: z.nullish(
    z.looseObject({ sort_code: nullishText, last4: nullishText, fingerprint: nullishText }),
  ),
  sepa_debit: z.nullish(
    z.looseObject({
      bank_code: nullishText,
      last4: nullishText,
      country: nullishText,
      fingerprint: nullishText,
    }),
  ),
});
export type MethodReply = z.output<typeof methodReply>;

/** An answer as a payment method; undefined when it is none. */
export function readMethod(value: unknown): MethodReply | undefined {
  const parsed = z.safeParse(methodReply, value);
  return parsed.success ? parsed.data : undefined;
}

/** The `pm_…` of an answer. */
export const readMethodId = (value: unknown): string | undefined => readMethod(value)?.id;

/** Only the entries that have a value. */
const present = (
  entries: Readonly<Record<string, string | number | null | undefined>>,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(entries).flatMap(([key, value]) =>
      value === null || value === undefined || value === '' ? [] : [[key, String(value)] as const],
    ),
  );

/** What a screen shows, under the names of the specification (payments §2, card and bank fields). */
function shownOf(reply: MethodReply): Record<string, string> {
  const name = reply.billing_details?.name;
  switch (reply.type) {
    case 'card': {
      const card = reply.card;
      return present({
        brand: card?.brand,
        last4: card?.last4,
        name,
        expMonth: card?.exp_month,
        year: card?.exp_year,
      });
    }
    case 'au_becs_debit':
      return present({ bsbNumber: reply.au_becs_debit?.bsb_number, last4: reply.au_becs_debit?.last4, name });
    case 'us_bank_account': {
      const account = reply.us_bank_account;
      return present({
        routing_number: account?.routing_number,
        last4: account?.last4,
        bankName: account?.bank_name,
        accountType: account?.account_type,
        name,
      });
    }
    case 'bacs_debit':
      return present({ sortCode: reply.bacs_debit?.sort_code, last4: reply.bacs_debit?.last4, name });
    case 'sepa_debit': {
      const account = reply.sepa_debit;
      return present({
        bank_code: account?.bank_code,
        last4: account?.last4,
        country: account?.country,
        name,
      });
    }
    default:
      return present({ name });
  }
}

const fingerprintOf = (reply: MethodReply): string | null | undefined =>
  reply.card?.fingerprint ??
  reply.au_becs_debit?.fingerprint ??
  reply.us_bank_account?.fingerprint ??
  reply.bacs_debit?.fingerprint ??
  reply.sepa_debit?.fingerprint;

const bankTypes = new Set(['au_becs_debit', 'us_bank_account', 'bacs_debit', 'sepa_debit']);

/** Types this adapter can charge. Others in a customer's list (wallets set up elsewhere) are left out. */
export const isKnownType = (type: string): boolean => type === 'card' || bankTypes.has(type);

/** A payment method as a saved one. `more` adds what the method itself does not know: its mandate. */
export function methodFromWire(
  reply: MethodReply,
  more: Pick<Method, 'usable'> & Pick<Partial<Method>, 'mandate'> = { usable: 'now' },
): Method {
  const { exp_month: month, exp_year: year } = reply.card ?? {};
  const fingerprint = fingerprintOf(reply);
  const bag: SealedBag = {
    paymentMethod: reply.id,
    type: reply.type,
    ...(more.mandate === undefined ? {} : { mandate: more.mandate.remote }),
  };
  return {
    bag,
    kind: reply.type === 'card' ? 'card' : 'bank',
    show: { type: reply.type, ...shownOf(reply) },
    ...(month && year ? { expires: `${year}-${String(month).padStart(2, '0')}` } : {}),
    ...(fingerprint ? { fingerprint } : {}),
    ...more,
  };
}
