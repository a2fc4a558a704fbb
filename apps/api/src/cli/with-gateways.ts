import { gatewayModules } from '@counterfoil/gateways/registry.ts';
import type { Runtime } from '../runtime.ts';
import { reachGateways } from './demo-sandbox.ts';
import { withLinks } from './with-runtime.ts';

/**
 * As {@link withLinks}, for what calls gateways: those of the demo world are its sandbox. In a module of its own,
 * because all gateways are loaded by it.
 * @throws {CommandError} when it does not run
 */
export const withGateways = <T>(work: (runtime: Runtime) => Promise<T>): Promise<T> =>
  withLinks(async (runtime) => work(await reachGateways(runtime, gatewayModules)));
