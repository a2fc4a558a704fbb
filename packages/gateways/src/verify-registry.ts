// Written by `npm run generate` from the folders beside it. Not to be edited.
import type { VerifySuite } from './cases/verify.ts';

/** By the gateway's id; loaded when they are run. A gateway that is not here has none. */
export const verifySuites: Readonly<Record<string, () => Promise<{ readonly verify: VerifySuite }>>> = {
  stripe: () => import('./stripe/verify.ts'),
};
