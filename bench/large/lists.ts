import { printFigure, quantile } from '../support/figure.ts';
import { bytesOf, waitsBeside } from './measure.ts';
import { type LargeWorld, sizes } from './world.ts';

const MIB = 1024 * 1024;
/** What a whole answer may add to the server's memory at rest is in this. */
const MOST_MIB = 300;
const WAIT_MS = 50;

/** The calls of the specification that answer a list whole. */
const wholeCalls = ({
  periodId,
  invoiceId,
}: LargeWorld): readonly (readonly [name: string, path: string])[] => [
  [`${sizes.invoices} invoices`, '/v1/ec/invoices'],
  [`${sizes.transactions} transactions`, `/v1/ec/transactions?period=${periodId}`],
  [`${sizes.serviceItems} service items`, '/v1/ec/service-items'],
  [`an invoice of ${sizes.lines} lines`, `/v1/ec/invoice/${invoiceId}`],
];

/** How long each takes whole, how long others wait meanwhile, and the server's memory. */
export async function wholeLists(world: LargeWorld): Promise<void> {
  for (const [name, path] of wholeCalls(world)) {
    await bytesOf(world, path);
    world.server.forgetPeak();
    let bytes = 0;
    const started = performance.now();
    const waits = await waitsBeside(world, async () => {
      bytes = await bytesOf(world, path);
    });
    const print = (figure: string, value: number, unit: string, limit: number) =>
      printFigure({ bench: 'large', figure: `${name} whole, ${figure}`, value, unit, limit, isMost: true });
    print(`${(bytes / MIB).toFixed(1)} MiB`, performance.now() - started, 'ms', 5_000);
    print('p95 of others', quantile(waits, 0.95), 'ms', WAIT_MS);
    print('longest wait of others', Math.max(...waits), 'ms', WAIT_MS);
    print('most memory', world.server.peakMib(), 'MiB', MOST_MIB);
  }
}
