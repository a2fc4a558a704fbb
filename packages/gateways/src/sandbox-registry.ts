// Written by `npm run generate` from the folders beside it. Not to be edited.
import type { GatewaySandbox } from '@counterfoil/sandbox/gateway-sandbox.ts';
import { sandbox as authorizeNet } from './authorize-net/sandbox.ts';
import { sandbox as bpoint } from './bpoint/sandbox.ts';
import { sandbox as gocardless } from './gocardless/sandbox.ts';
import { sandbox as ippay } from './ippay/sandbox.ts';
import { sandbox as moneris } from './moneris/sandbox.ts';
import { sandbox as nexio } from './nexio/sandbox.ts';
import { sandbox as pinch } from './pinch/sandbox.ts';
import { sandbox as stripe } from './stripe/sandbox.ts';

/** The sandboxes of all gateways. */
export const sandboxes: readonly GatewaySandbox[] = [
  authorizeNet,
  bpoint,
  gocardless,
  ippay,
  moneris,
  nexio,
  pinch,
  stripe,
];
