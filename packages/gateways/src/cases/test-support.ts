/** Opens a gateway's sandbox for the list of cases. */
import { nowhere } from '@counterfoil/testing/ports.ts';
import { resolveAddresses } from '../port/addresses.ts';
import type { GatewayModule } from '../port/define-gateway.ts';
import type { CasesReport } from './case.ts';
import type { CasesData } from './data.ts';
import { casesOf } from './list.ts';
import { type CasesOptions, runCases } from './run.ts';
import { openSandbox, type SandboxControl } from './sandbox-control.ts';

export interface CasesFixture {
  readonly control: SandboxControl;
  /** Runs cases in the sandbox: with its controls, or as at the provider. */
  run(where: 'sandbox' | 'provider', over?: Partial<CasesOptions>): Promise<CasesReport>;
}

/** A sandbox for the cases of a gateway. Its caller closes {@link CasesFixture.control}. */
export async function openCases(module: GatewayModule, data: CasesData): Promise<CasesFixture> {
  const { manifest } = module;
  const { currencies } = manifest.capabilities;
  const control = await openSandbox(manifest.id, data.sandbox, await nowhere());
  const setting = `GATEWAY_URL_${manifest.id.toUpperCase().replaceAll('-', '_')}`;
  return {
    control,
    run: (where, over = {}) =>
      runCases({
        cases: casesOf(manifest, data),
        data,
        module,
        currency: currencies === 'any' ? 'AUD' : (currencies[0] ?? 'AUD'),
        resellerId: '4100',
        returnTo: 'https://portal.example/',
        ...(where === 'sandbox' ? { control } : {}),
        ...over,
        context: {
          config: data.sandbox.settings,
          addresses: resolveAddresses(manifest, { [setting]: control.url }),
          clock: control,
          log: { debug: () => undefined, warn: () => undefined },
          pause: () => Promise.resolve(),
          timeoutMs: 5_000,
          ...over.context,
        },
      }),
  };
}
