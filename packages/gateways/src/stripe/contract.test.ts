import { nowhere } from '@counterfoil/testing/ports.ts';
import { gatewayContract } from '../cases/contract-suite.ts';
import { openFixture } from './contract-fixture.ts';
import { manifest } from './manifest.ts';

gatewayContract({
  name: 'Stripe',
  can: manifest.capabilities,
  open: async () => openFixture(await nowhere()),
  hasChallenges: true,
  hasPage: true,
  hasDebits: true,
});
