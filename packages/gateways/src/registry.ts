// Written by `npm run generate` from the folders beside it. Not to be edited.

import { manifest as authorizeNetManifest } from './authorize-net/manifest.ts';
import { manifest as bpointManifest } from './bpoint/manifest.ts';
import { manifest as gocardlessManifest } from './gocardless/manifest.ts';
import { manifest as ippayManifest } from './ippay/manifest.ts';
import { manifest as monerisManifest } from './moneris/manifest.ts';
import { manifest as nexioManifest } from './nexio/manifest.ts';
import { manifest as pinchManifest } from './pinch/manifest.ts';
import type { GatewayModule } from './port/define-gateway.ts';
import { manifest as stripeManifest } from './stripe/manifest.ts';

/** The gateways this program has. */
export const gatewayModules: readonly GatewayModule[] = [
  { manifest: authorizeNetManifest, load: () => import('./authorize-net/gateway.ts') },
  { manifest: bpointManifest, load: () => import('./bpoint/gateway.ts') },
  { manifest: gocardlessManifest, load: () => import('./gocardless/gateway.ts') },
  { manifest: ippayManifest, load: () => import('./ippay/gateway.ts') },
  { manifest: monerisManifest, load: () => import('./moneris/gateway.ts') },
  { manifest: nexioManifest, load: () => import('./nexio/gateway.ts') },
  { manifest: pinchManifest, load: () => import('./pinch/gateway.ts') },
  { manifest: stripeManifest, load: () => import('./stripe/gateway.ts') },
];
