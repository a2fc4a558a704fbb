import { nowhere } from '@counterfoil/testing/ports.ts';
import { gatewayContract } from '../contract-suite.ts';
import { openWorld } from './contract-world.ts';
import { manifest } from './manifest.ts';

gatewayContract({
  ...{ name: 'Stripe', can: manifest.capabilities, open: async () => openWorld(await nowhere()) },
  ...{ hasChallenges: true, hasPage: true, hasDebits: true },
});
