import { gatewayModules } from '@counterfoil/gateways/registry.ts';
import { useDatabase } from '@counterfoil/testing/database.ts';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { Database } from './db/database.ts';
import { setGatewayAccount } from './features/admin/gateway-accounts.ts';
import { addReseller } from './features/admin/resellers.ts';
import { keepKeyCheck, readKeyStand } from './key-check.ts';
import { createSecrets } from './secrets.ts';

const database = useDatabase();
const [right, wrong] = ['a', 'b'].map((letter) => createSecrets(letter.repeat(32))) as [never, never];
let db: Database;
beforeAll(() => {
  db = new Database({ url: database.url, name: 'keys', max: 4, statementTimeoutMs: 20_000 });
});
afterAll(() => db.end());
beforeEach(() => database.pool().query('truncate key_check; delete from gateway_account'));

/** What an installation has sealed from before keys were checked. */
const seal = () =>
  db.transaction(async (tx) => {
    await addReseller(tx, { id: 4100, name: 'Own' });
    const settings = ['secretKey=sk_test_1', 'publishableKey=pk_test_1'];
    const change = { resellerId: 4100, gateway: 'stripe', settings };
    await setGatewayAccount(tx, { secrets: right, modules: gatewayModules }, change, new Date());
  });

it('is the first one’s, and nobody else’s afterwards', async () => {
  expect(await readKeyStand(db, wrong)).toBe('absent');
  expect(await keepKeyCheck(db, right)).toBe('fits');
  expect([await keepKeyCheck(db, right), await readKeyStand(db, right)]).toEqual(['fits', 'fits']);
  expect([await keepKeyCheck(db, wrong), await readKeyStand(db, wrong)]).toEqual(['wrong', 'wrong']);
});

it('must open what is sealed already: a wrong one is not written down, and the right one is', async () => {
  await seal();
  expect([await readKeyStand(db, wrong), await keepKeyCheck(db, wrong)]).toEqual(['wrong', 'wrong']);
  expect((await database.pool().query('select from key_check')).rowCount).toBe(0);
  expect([await keepKeyCheck(db, right), await readKeyStand(db, right)]).toEqual(['fits', 'fits']);
});

it('of two processes that begin at once with different keys is one’s', async () => {
  for (let round = 0; round < 10; round += 1) {
    await database.pool().query('truncate key_check');
    const stands = await Promise.all([right, wrong, right, wrong].map((one) => keepKeyCheck(db, one)));
    expect(new Set([stands[0], stands[1]])).toEqual(new Set(['fits', 'wrong']));
    expect(stands.slice(2)).toEqual(stands.slice(0, 2));
  }
});
