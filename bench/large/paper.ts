import { printFigure, quantile } from '../support/figure.ts';
import { waitsBeside } from './measure.ts';
import { type LargeWorld, sizes } from './world.ts';

const EACH = 7;
const MOST_MS = { first: 100, others: 50 };

/** Milliseconds until the first byte of the invoice with all the lines. */
async function firstByte(world: LargeWorld, token: string): Promise<number> {
  const started = performance.now();
  const answer = await fetch(new URL(`/v1/ec/invoices/${world.invoiceId}`, world.server.url), {
    headers: { authorization: `Bearer ${token}` },
  });
  const ms = performance.now() - started;
  await answer.bytes();
  if (!answer.ok) throw new Error(`the invoice answered ${answer.status}`);
  return ms;
}

/** The PDF of a long invoice, and how long others wait while it is made. */
export async function longInvoice(world: LargeWorld): Promise<void> {
  const token = await world.signIn();
  await firstByte(world, token);
  const times: number[] = [];
  const waits = await waitsBeside(world, async () => {
    for (let n = 0; n < EACH; n += 1) times.push(await firstByte(world, token));
  });
  const what = `PDF of ${sizes.lines} lines`;
  const print = (figure: string, value: number, limit: number) =>
    printFigure({ bench: 'large', figure, value, unit: 'ms', limit, isMost: true });
  print(`${what}, first byte, p50`, quantile(times, 0.5), MOST_MS.first);
  print(`${what}, others meanwhile, p95`, quantile(waits, 0.95), MOST_MS.others);
  print(`${what}, others meanwhile, longest`, quantile(waits, 1), MOST_MS.others);
}
