import type { GatewayCheck } from '@counterfoil/contract/operator/running/admin-gateways.ts';
import type { CredentialCheck } from '@counterfoil/gateways/port/gateway.ts';
import { withTimeout } from '../../with-timeout.ts';
import type { GatewayAccount } from '../payments/service.ts';

/** Whoever asks waits no longer for a gateway that does not answer. */
const CHECK_WITHIN_MS = 15_000;
const UNREACHABLE: CredentialCheck = { ok: false, rights: [], unreachable: true, why: 'no answer in time' };

/** Asks the gateway whether the keys of an account are good. Nothing is charged. */
export async function checkGateway({
  gateway,
  module,
}: Pick<GatewayAccount, 'gateway' | 'module'>): Promise<GatewayCheck> {
  const { displayName } = module.manifest;
  const asked = gateway.verifyCredentials().catch(() => UNREACHABLE);
  const { ok, unreachable, why, rights } = await withTimeout(CHECK_WITHIN_MS, asked, UNREACHABLE);
  const because = why === undefined || why === '' ? '' : `: ${why}`;
  if (ok) return { is: 'working', message: `${displayName}: the keys work.`, rights: [...rights] };
  return unreachable === true
    ? { is: 'unreachable', message: `${displayName} is not reachable${because}`, rights: [] }
    : { is: 'refused', message: `${displayName} refuses the keys${because}`, rights: [] };
}
