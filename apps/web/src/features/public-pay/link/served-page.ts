import type { PaymentInfo } from '@counterfoil/contract/paying/public-pay.ts';
import { canTake } from '../../../paying/entry/use-entry.ts';
import { PayShell } from '../pay-shell.ts';
import { eventOfDetails } from './pay-readings.ts';

/** The page of an invoice that can be paid, for drawing where nobody can press anything yet; else undefined. */
export const servedPage = (info: PaymentInfo): PayShell | undefined =>
  eventOfDetails(info, canTake) === 'invoicePayable'
    ? new PayShell(() => new Promise<never>(() => undefined), { save: () => undefined }, info)
    : undefined;
