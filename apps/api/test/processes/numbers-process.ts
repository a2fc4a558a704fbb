import { send } from '@counterfoil/gateways/kit/http.ts';
import { lendJson } from '@counterfoil/gateways/kit/json-body.ts';
import { buildApp } from '../../src/build-app.ts';
import { readConfig } from '../../src/config.ts';
import { Database } from '../../src/db/database.ts';
import { createLogger } from '../../src/logger.ts';
import { createSecrets } from '../../src/secrets.ts';
import { scriptedGateway } from '../fixtures/paying/scripted-gateway.ts';

/**
 * The server as a process of its own, with a gateway to which numbers pass. It sends them on to `provider` as bytes, as adapters do;
 * where the card holder's name is `Leak`, it keeps the number as text besides, so that a search of the heap is seen to find one.
 * Arguments: database, key, folder, address of the provider.
 */
const [url = '', secretKey = '', dataDir = '', provider = ''] = process.argv.slice(2);
const pool = (name: string) => new Database({ url, name, max: 4, statementTimeoutMs: 60_000 });
const kept: string[] = [];

const gateway = scriptedGateway();
const { capabilities } = gateway.module.manifest;
Object.assign(capabilities, {
  entry: { ...capabilities.entry, card: [{ how: 'ownFieldsToUs', pci: 'D' }] },
});
gateway.onCharge = async (charge) => {
  const { source, owner } = charge;
  if (typeof source !== 'object' || !('secrets' in source)) throw new Error('there are no numbers');
  const { number, code } = source.secrets;
  const headers = { 'content-type': 'application/json' };
  const reply = await lendJson({ cardNumber: number, cardCode: code, ...source.beside }, async (body) => {
    if (owner?.name === 'Leak') kept.push(Buffer.from(body).toString());
    return send({ method: 'POST', url: provider, headers, body });
  });
  if (reply.is !== 'reply') throw new Error('the provider did not answer');
  return gateway.take(charge);
};

const { app } = await buildApp(
  {
    config: readConfig({ DATABASE_URL: url, SECRET_KEY: secretKey, DATA_DIR: dataDir }),
    databases: { web: pool('web'), exports: pool('exports'), jobs: pool('jobs') },
    clock: { now: () => new Date() },
    secrets: createSecrets(secretKey),
    log: createLogger('trace', process.stdout),
  },
  { modules: [gateway.module], stock: { readEveryMs: 0 } },
);
process.stdout.write(`${JSON.stringify({ ready: await app.listen({ port: 0, host: '127.0.0.1' }) })}\n`);
