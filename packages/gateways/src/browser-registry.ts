// Written by `npm run generate` from the folders beside it. Not to be edited.
import type { CreateEntry } from './port/browser.ts';

/** A gateway's own way of entry; loaded when a page needs it. */
export interface BrowserEntry {
  readonly createEntry: CreateEntry;
}

/** By `integrationType`. A gateway that is not here has the standard entry of its `how`. */
export const browserEntries: Readonly<Record<string, () => Promise<BrowserEntry>>> = {
  AuthorizeNet: () => import('./authorize-net/browser.tsx'),
  BPOINT: () => import('./bpoint/browser.tsx'),
  Moneris: () => import('./moneris/browser.tsx'),
  Nexio: () => import('./nexio/browser.tsx'),
  Pinch: () => import('./pinch/browser.tsx'),
  Stripe: () => import('./stripe/browser.tsx'),
};

/** Our own inputs, the gateway's page in a frame, or its page instead of ours; loaded when a page needs them. */
export const standardEntry = (): Promise<BrowserEntry> => import('./kit/browser/standard-entry.tsx');
