import { gatewayModules } from '@counterfoil/gateways/registry.ts';
import pino from 'pino';
import { readConfig } from '../../src/config.ts';
import { Database } from '../../src/db/database.ts';
import { autoPayRound } from '../../src/features/auto-pay/service.ts';
import { gatewayAccounts } from '../../src/gateway-accounts.ts';
import { createSecrets } from '../../src/secrets.ts';

/**
 * A process of its own that does one round of auto-pay and dies as by `kill -9` when it comes to a step. Arguments:
 * database, key, folder, how far its clock is ahead in ms, reseller, step ('' for none); the address of the sandbox stands
 * in the environment as the server finds it.
 */
const [url = '', secretKey = '', dataDir = '', aheadMs = '0', reseller = '', step = ''] =
  process.argv.slice(2);
const db = new Database({ url, name: 'auto-pay process', max: 8, statementTimeoutMs: 60_000 });
const addresses = Object.entries(process.env).filter(([name]) => name.startsWith('GATEWAY_URL_'));
const env = Object.assign(Object.fromEntries(addresses), {
  DATABASE_URL: url,
  SECRET_KEY: secretKey,
  DATA_DIR: dataDir,
});
const deps = {
  config: readConfig(env),
  databases: { web: db, exports: db, jobs: db },
  clock: { now: () => new Date(Date.now() + Number(aheadMs)) },
  secrets: createSecrets(secretKey),
  log: pino({ level: 'error' }),
};
const { secrets, clock, log, config } = deps;
const done = await autoPayRound(
  {
    db,
    secrets,
    clock,
    log,
    accounts: gatewayAccounts(deps, gatewayModules),
    publicUrl: config.publicUrl,
    reached(at) {
      if (at === step) process.kill(process.pid, 'SIGKILL');
    },
  },
  { resellerId: Number(reseller) },
);
process.stdout.write(`${JSON.stringify(done)}\n`);
await db.end();
