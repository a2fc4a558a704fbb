import type { Server } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import type { App } from '../app-type.ts';

/**
 * Requests that are under way may finish for this long after the port is closed: longer than any answer waits for a
 * gateway, so that nobody who pays or saves a card is cut off.
 */
export const FINISH_WITHIN_MS = 16_000;
/** A connection on which nothing was ever sent is waited for no longer than this. */
const SILENT_WITHIN_MS = 1_000;
/** Of the event loop: a turn this short had nothing to do, so that nobody waits to be let in. */
const QUIET_MS = 0.1;
const MOST_TURNS = 2_000;

/** True from the order to stop on: /readyz says so, and connections are not kept. */
export interface Lifecycle {
  readonly isStopping: boolean;
  /** Says from now on that it stops, and answers on. */
  retire(): void;
  /**
   * Says that it stops and answers on for `pauseMs`, so that whoever distributes requests sees it and goes elsewhere;
   * then closes the port, lets what is under way finish, and breaks what is left, so that a half download is seen as half.
   */
  stop(pauseMs?: number): Promise<void>;
}

/** @param app listening or not; its `close` hooks run after the last request */
export function createLifecycle(app: App, finishWithinMs = FINISH_WITHIN_MS): Lifecycle {
  const server: Server = app.server;
  const state = { isStopping: false };
  const silent = silentConnections(server);
  // Before anything answers, also what is refused before any hook runs.
  server.prependListener('request', (_request, response) => {
    if (state.isStopping) response.shouldKeepAlive = false;
  });
  // And when it is sent: what was asked before would keep its connection, and be waited for.
  app.addHook('onSend', async (_request, reply) => {
    if (state.isStopping) reply.header('connection', 'close');
  });
  return {
    get isStopping() {
      return state.isStopping;
    },
    retire() {
      state.isStopping = true;
    },
    async stop(pauseMs = 0) {
      state.isStopping = true;
      if (pauseMs > 0) await sleep(pauseMs);
      await quietTurn();
      // The port alone, and in this very turn: the application takes some turns to close.
      NetServer.prototype.close.call(server);
      const closed = app.close();
      server.closeIdleConnections();
      const abort = new AbortController();
      const after = (ms: number, work: () => void) =>
        sleep(ms, undefined, { signal: abort.signal }).then(work, () => undefined);
      const deadlines = [
        after(Math.min(SILENT_WITHIN_MS, finishWithinMs), () => {
          for (const socket of silent) socket.destroy();
        }),
        after(finishWithinMs, () => server.closeAllConnections()),
      ];
      await closed;
      abort.abort();
      await Promise.all(deadlines);
    },
  };
}

/** Connections that have sent nothing yet, as browsers open them in advance. */
function silentConnections(server: Server): Iterable<Socket> {
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  server.on('request', ({ socket }) => open.delete(socket));
  return {
    *[Symbol.iterator]() {
      for (const socket of open) if (socket.bytesRead === 0) yield socket;
    },
  };
}

/**
 * Resolves at the end of a turn of the event loop in which there was next to nothing to do. Connections that the kernel
 * took and this process did not yet are reset when the port closes; here there are none but by the rarest chance.
 */
async function quietTurn(): Promise<void> {
  for (let turns = 0; turns < MOST_TURNS; turns += 1) {
    const begun = performance.now();
    await turn();
    if (performance.now() - begun < QUIET_MS) return;
  }
}
