/** Runs the list of cases against a gateway's sandbox, for its `cases.test.ts`: a test for each case. */
import { nowhere } from '@counterfoil/testing/ports.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

/** Declares a test for each case, titled by its id. */
export function testCases(module: GatewayModule, data: CasesData): void {
  describe(`the cases of ${module.manifest.displayName} in its sandbox`, () => {
    let fixture: CasesFixture;
    beforeAll(async () => {
      fixture = await openCases(module, data);
    });
    afterAll(() => fixture.control.close());

    it.each(casesOf(module.manifest, data))('$id: $title', async ({ id }) => {
      const { results } = await fixture.run('sandbox', { only: [id] });
      const [result] = results;
      expect({ is: result?.is, detail: result?.detail }).toEqual({ is: 'passed', detail: '' });
    });
  });
}
