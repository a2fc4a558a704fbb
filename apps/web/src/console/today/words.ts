import type { Need, Sum } from '@counterfoil/contract/operator/running/today.ts';
import { formatMoney } from '../../text/format.ts';
import { t } from './messages.ts';

const MINUTE_MS = 60_000;
const HOURS_SHOWN = 48;

/** How long something waits, as a person says it: '41 min', '3 h 5 min', '4 days'. */
export function ageOf(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / MINUTE_MS));
  if (minutes < 60) return t('age.minutes', { n: minutes });
  const hours = Math.floor(minutes / 60);
  return hours < HOURS_SHOWN
    ? t('age.hours', { h: hours, m: minutes % 60 })
    : t('age.days', { n: Math.floor(hours / 24) });
}

/** How long something waits, or in how long a key runs out. @param now milliseconds since 1970 */
export function ageOfNeed({ at }: Pick<Need, 'at'>, now: number): string {
  const passed = now - Date.parse(at);
  return passed < 0 ? t('age.inDays', { age: ageOf(-passed) }) : ageOf(passed);
}

/** Sums in words: "$12.50 and EUR 3.00" as one list. */
export const sumsOf = (sums: readonly Sum[]): string =>
  sums.map(({ amount, currency }) => formatMoney(amount, { currency })).join(', ');

const causes = [
  'owner',
  'buyer',
  'agreement',
  'month',
  'mapping',
  'line',
  'document',
  'differs',
  'busy',
  'file',
] as const;

const causeOf = (reason: string | null): string =>
  t(`cause.${causes.find((cause) => cause === reason) ?? 'other'}`);

/** What it is, in one line. */
export function whatOf({ kind, title, about, count: n }: Need): string {
  switch (kind) {
    case 'paymentInReview':
    case 'paymentLost':
    case 'refundInReview':
    case 'refundWaiting':
    case 'bankEntrySuggested':
      return about === null ? title : `${title} · ${about}`;
    default:
      return t(`what.${kind}`, { n, title });
  }
}

/** Why, in one line: ours where nobody else has said it. */
export function whyOf({ kind, reason, about }: Need): string | null {
  switch (kind) {
    case 'quarantinedRows':
      return causeOf(reason);
    case 'keyExpires':
    case 'keyExpired':
      return [t(`why.${kind}`), about].filter(Boolean).join(' · ');
    case 'paymentInReview':
    case 'paymentLost':
    case 'refundInReview':
    case 'refundWaiting':
    case 'gatewayRefusesKeys':
    case 'roundFailing':
      return reason === null ? t(`why.${kind}`) : `${t(`why.${kind}`)} · ${reason}`;
    default:
      return reason;
  }
}

const acts = {
  paymentInReview: 'act.open',
  paymentLost: 'act.open',
  refundInReview: 'act.open',
  refundWaiting: 'act.open',
  bankEntrySuggested: 'act.decide',
  quarantinedRows: 'act.rows',
  mailsRefused: 'act.mails',
  mailsFailing: 'act.mails',
  eventsGivenUp: 'act.events',
  eventsFailing: 'act.events',
  endpointStopped: 'act.endpoint',
  endpointFailing: 'act.endpoint',
  keyExpires: 'act.key',
  keyExpired: 'act.key',
  gatewayRefusesKeys: 'act.gateway',
  gatewayPaused: 'act.gateway',
  jobsFailing: 'act.jobs',
  roundFailing: 'act.jobs',
} as const satisfies Record<Need['kind'], string>;

/** What its button says. */
export const actOf = ({ kind }: Pick<Need, 'kind'>): string => t(acts[kind]);
