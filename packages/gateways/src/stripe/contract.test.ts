import { gatewayContract } from '../contract-suite.ts';
import { openWorld } from './contract-world.ts';
import { manifest } from './manifest.ts';

gatewayContract({
  ...{ name: 'Stripe', can: manifest.capabilities, open: openWorld },
  ...{ hasChallenges: true, hasPage: true },
});
