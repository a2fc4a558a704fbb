// Written by `npm run generate` from the folders beside it. Not to be edited.

import { createGateway as authorizeNetGateway } from './authorize-net/gateway.ts';
import { manifest as authorizeNetManifest } from './authorize-net/manifest.ts';
import { createGateway as bpointGateway } from './bpoint/gateway.ts';
import { manifest as bpointManifest } from './bpoint/manifest.ts';
import { createGateway as gocardlessGateway } from './gocardless/gateway.ts';
import { manifest as gocardlessManifest } from './gocardless/manifest.ts';
import { createGateway as ippayGateway } from './ippay/gateway.ts';
import { manifest as ippayManifest } from './ippay/manifest.ts';
import { createGateway as monerisGateway } from './moneris/gateway.ts';
import { manifest as monerisManifest } from './moneris/manifest.ts';
import { createGateway as nexioGateway } from './nexio/gateway.ts';
import { manifest as nexioManifest } from './nexio/manifest.ts';
import { createGateway as pinchGateway } from './pinch/gateway.ts';
import { manifest as pinchManifest } from './pinch/manifest.ts';
import type { GatewayModule } from './port/define-gateway.ts';
import { createGateway as stripeGateway } from './stripe/gateway.ts';
import { manifest as stripeManifest } from './stripe/manifest.ts';

/** The gateways this program has. */
export const gatewayModules: readonly GatewayModule[] = [
  { manifest: authorizeNetManifest, createGateway: authorizeNetGateway },
  { manifest: bpointManifest, createGateway: bpointGateway },
  { manifest: gocardlessManifest, createGateway: gocardlessGateway },
  { manifest: ippayManifest, createGateway: ippayGateway },
  { manifest: monerisManifest, createGateway: monerisGateway },
  { manifest: nexioManifest, createGateway: nexioGateway },
  { manifest: pinchManifest, createGateway: pinchGateway },
  { manifest: stripeManifest, createGateway: stripeGateway },
];
