// Written by `npm run generate` from the folders beside it. Not to be edited.
import type { CreateCardEntry } from './browser-port.ts';

/** A gateway's own fields; loaded when a page needs them. */
export interface BrowserEntry {
  readonly createCardEntry: CreateCardEntry;
}

/** By `integrationType`. A gateway that is not here uses the portal's own fields. */
export const browserEntries: Readonly<Record<string, () => Promise<BrowserEntry>>> = {
  Stripe: () => import('./stripe/browser.tsx'),
};
