// Written by `npm run generate` from the folders beside it. Not to be edited.
import type { CreateBankEntry, CreateCardEntry } from './port/browser.ts';

/** A gateway's own fields, and its way to take a bank account; loaded when a page needs them. */
export interface BrowserEntry {
  readonly createCardEntry: CreateCardEntry;
  readonly createBankEntry?: CreateBankEntry;
}

/** By `integrationType`. A gateway that is not here uses the portal's own fields. */
export const browserEntries: Readonly<Record<string, () => Promise<BrowserEntry>>> = {
  Stripe: () => import('./stripe/browser.tsx'),
};
