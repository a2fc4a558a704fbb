import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

/** After this a statement that does not end is left to itself, and its connection is broken. */
const PATIENCE_MS = 2_000;
const CANCEL_CODE = 80_877_102;

/** What the driver knows of its server; its types leave it out. */
interface Reached {
  readonly host: string;
  readonly port: number;
  readonly processID: number | null;
  readonly secretKey: number | null;
  readonly connection: { readonly stream: { destroy(): void } };
}

/**
 * Ends the statement that runs on a connection: PostgreSQL's cancel request, which has a connection of its own. A
 * statement that sorts, or waits for the reader, would else not notice that nobody wants its rows.
 * @param end resolves when the statement has ended
 */
export async function cancelStatement(client: pg.PoolClient, end: Promise<void>): Promise<void> {
  const { host, port, processID, secretKey, connection } = client as unknown as Reached;
  if (processID !== null && secretKey !== null) {
    const request = Buffer.alloc(16);
    for (const [index, value] of [16, CANCEL_CODE, processID, secretKey].entries())
      request.writeInt32BE(value, index * 4);
    const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect({ host, port });
    socket.setTimeout(PATIENCE_MS, () => socket.destroy());
    socket.on('error', () => socket.destroy());
    socket.end(request);
  }
  const isOver = await Promise.race([end.then(() => true), sleep(PATIENCE_MS, false)]);
  if (!isOver) connection.stream.destroy();
}
