import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { attachOrStart } from '@counterfoil/postgres/server.ts';
import { clusterUrl, inDatabase, makeClusterTemplate, type SchemaSteps } from './machines.ts';

/** What a test file learns about the server of its run. */
export interface TestServer {
  /**
   * Addresses with passwords of the machines that hold a database together, the one that takes statements first: one, or
   * those of the Citus cluster at CITUS_URL. The databases in them are not meant for tests.
   */
  readonly machines: readonly string[];
  /** Database to clone: it has the product's schema and is never connected to. */
  readonly template: string;
}

/** The broker that test files ask for the server. */
export interface TestServerBroker {
  readonly address: string;
  stop(): Promise<void>;
}

/** The embedded server's own database. */
const TEMPLATE = 'counterfoil';

/**
 * Offers one throw-away PostgreSQL for a whole test run. It is started and its template migrated when the first
 * test file asks, so that runs without database tests do not pay for it.
 */
export async function offerTestServer(schema: SchemaSteps): Promise<TestServerBroker> {
  const path = `/${randomBytes(16).toString('hex')}`;
  let starting: Promise<Running> | undefined;
  const broker = createServer((request, response) => {
    if (request.url !== path) {
      response.writeHead(404).end();
      return;
    }
    starting ??= start(schema);
    starting.then(
      ({ server }) => response.end(JSON.stringify(server)),
      (error: Error) => response.writeHead(500).end(`the test database did not start: ${error.stack}`),
    );
  });
  await new Promise<void>((resolve) => broker.listen(0, '127.0.0.1', resolve));
  const address = broker.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    address: `http://127.0.0.1:${port}${path}`,
    async stop() {
      broker.close();
      broker.closeAllConnections();
      const running = await starting?.catch(() => undefined);
      await running?.end();
    },
  };
}

interface Running {
  readonly server: TestServer;
  end(): Promise<void>;
}

async function start(schema: SchemaSteps): Promise<Running> {
  const coordinator = clusterUrl();
  if (coordinator !== undefined) {
    const { machines, name: template, drop } = await makeClusterTemplate(coordinator, schema);
    return { server: { machines, template }, end: drop };
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'server-'));
  const embedded = await attachOrStart({ dataDir, durable: false });
  const end = async () => {
    await embedded.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    await schema.migrate(inDatabase(embedded.url, TEMPLATE));
  } catch (error) {
    await end();
    throw error;
  }
  return { server: { machines: [inDatabase(embedded.url, 'postgres')], template: TEMPLATE }, end };
}

declare module 'vitest' {
  interface ProvidedContext {
    /** Address that answers with a {@link TestServer}. */
    testServer: string;
  }
}
