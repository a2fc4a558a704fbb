import type { Brand } from '../features/brand/service.ts';

/** Whether a brand's customers can pay in the portal, where their credit is used. */
export interface CreditUse {
  readonly canPayOnline: boolean;
}

/** How money comes back, for a letter that tells of an amount in the customer's favour. */
function askForIt({ settings }: Brand): string {
  const { supportPhone, supportEmail } = settings;
  const where = [supportPhone, supportEmail].filter(Boolean).join(', ');
  return where === '' ? 'ask us' : `ask us: ${where}`;
}

/**
 * What becomes of money in the customer's favour: 'This amount stays with us as your credit. …'.
 * @param subject what stays: 'This amount', '$24.75 of it'
 */
export const creditText = (brand: Brand, { canPayOnline }: CreditUse, subject: string): string =>
  canPayOnline
    ? `${subject} stays with us as your credit. It is used by itself for what you pay next, when you pay signed in or by Auto-Pay. If you would rather have it paid back, ${askForIt(brand)}.`
    : `${subject} stays with us as your credit. To have it used for your next bill or paid back, ${askForIt(brand)}.`;
