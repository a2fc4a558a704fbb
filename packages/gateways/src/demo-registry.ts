// Written by `npm run generate` from the folders beside it. Not to be edited.

import { demo as authorizeNet } from './authorize-net/demo.ts';
import { demo as bpoint } from './bpoint/demo.ts';
import { demo as gocardless } from './gocardless/demo.ts';
import { demo as ippay } from './ippay/demo.ts';
import { demo as moneris } from './moneris/demo.ts';
import { demo as nexio } from './nexio/demo.ts';
import { demo as pinch } from './pinch/demo.ts';
import type { GatewayDemo } from './port/demo.ts';
import { demo as stripe } from './stripe/demo.ts';

/** By the gateway's id. */
export const gatewayDemos: Readonly<Record<string, GatewayDemo>> = {
  'authorize-net': authorizeNet,
  bpoint: bpoint,
  gocardless: gocardless,
  ippay: ippay,
  moneris: moneris,
  nexio: nexio,
  pinch: pinch,
  stripe: stripe,
};
