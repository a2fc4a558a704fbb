import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { attachOrStart, type EmbeddedServer } from '@counterfoil/postgres/server.ts';

/** What a test file learns about the server of its run. */
export interface TestServer {
  /** Address of the server with its password; the database in it is not meant for tests. */
  readonly url: string;
  /** Database to clone: it has the product's schema and is never connected to. */
  readonly template: string;
}

/** The broker that test files ask for the server. */
export interface TestServerBroker {
  readonly address: string;
  stop(): Promise<void>;
}

const template = 'counterfoil';

/**
 * Offers one throw-away PostgreSQL for a whole test run. It is started and its template migrated when the first
 * test file asks, so that runs without database tests do not pay for it.
 * @param migrate brings the schema into the database at this address
 */
export async function offerTestServer(migrate: (url: string) => Promise<unknown>): Promise<TestServerBroker> {
  const path = `/${randomBytes(16).toString('hex')}`;
  let starting: Promise<Running> | undefined;
  const broker = createServer((request, response) => {
    if (request.url !== path) {
      response.writeHead(404).end();
      return;
    }
    starting ??= start(migrate);
    starting.then(
      ({ server }) => response.end(JSON.stringify({ url: server.url, template } satisfies TestServer)),
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
      if (running) await end(running);
    },
  };
}

interface Running {
  readonly server: EmbeddedServer;
  readonly dataDir: string;
}

async function start(migrate: (url: string) => Promise<unknown>): Promise<Running> {
  const dataDir = await mkdtemp(join(tmpdir(), 'server-'));
  const server = await attachOrStart({ dataDir, durable: false });
  try {
    await migrate(server.url);
  } catch (error) {
    await end({ server, dataDir });
    throw error;
  }
  return { server, dataDir };
}

async function end({ server, dataDir }: Running): Promise<void> {
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
}

declare module 'vitest' {
  interface ProvidedContext {
    /** Address that answers with a {@link TestServer}. */
    testServer: string;
  }
}
