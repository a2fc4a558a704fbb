// Written by `npm run generate` from the folders beside it. Not to be edited.
import type { CasesData } from './cases/data.ts';

/** By the gateway's id; loaded when they are run. A gateway that is not here has none. */
export const gatewayCases: Readonly<Record<string, () => Promise<{ readonly casesData: CasesData }>>> = {
  'authorize-net': () => import('./authorize-net/cases-data.ts'),
  bpoint: () => import('./bpoint/cases-data.ts'),
  gocardless: () => import('./gocardless/cases-data.ts'),
  ippay: () => import('./ippay/cases-data.ts'),
  moneris: () => import('./moneris/cases-data.ts'),
  nexio: () => import('./nexio/cases-data.ts'),
  pinch: () => import('./pinch/cases-data.ts'),
  stripe: () => import('./stripe/cases-data.ts'),
};
