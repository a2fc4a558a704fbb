import { t } from './messages.ts';

const reasons = [
  'creditNote',
  'paid',
  'credited',
  'void',
  'nothingDue',
  'disputed',
  'noConsent',
  'disabled',
  'paymentsOff',
  'noGateway',
  'currency',
  'tooSmall',
  'amountNotRepresentable',
  'cameBack',
  'noDueDate',
  'noAddress',
  'beingConfirmed',
  'notYet',
  'announced',
  'underWay',
  'charged',
  'byCredit',
  'noMethod',
  'sameMethod',
  'amountRaised',
  'forbidden',
  'authenticate',
  'exhausted',
  'gateway',
  'keys',
] as const;

/** Why an invoice is not charged, in words; a reason of a newer server stands as it came. */
export function reasonWords(reason: string | null): string {
  const known = reasons.find((one) => one === reason);
  return known === undefined ? (reason ?? '') : t(`reason.${known}`);
}
