import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from './app.ts';

/** Requests that are under way may finish for this long after the order to stop. */
const FINISH_WITHIN_MS = 8_000;

/** True from the order to stop on: /readyz says so, and connections are not kept. */
export interface Lifecycle {
  readonly isStopping: boolean;
  /** Lets short requests finish, then breaks what is left, so that a half download is seen as half. */
  stop(): Promise<void>;
}

/** @param app listening or not; its `close` hooks run after the last request */
export function createLifecycle(app: App, finishWithinMs = FINISH_WITHIN_MS): Lifecycle {
  const server: Server = app.server;
  const state = { isStopping: false };
  // When it is sent, not when it is asked: what was under way would keep its connection, and be waited for.
  app.addHook('onSend', async (_request, reply) => {
    if (state.isStopping) reply.header('connection', 'close');
  });
  return {
    get isStopping() {
      return state.isStopping;
    },
    async stop() {
      if (state.isStopping) return;
      state.isStopping = true;
      const closed = app.close();
      server.closeIdleConnections();
      const abort = new AbortController();
      const deadline = sleep(finishWithinMs, undefined, { signal: abort.signal })
        .then(() => server.closeAllConnections())
        .catch(() => undefined);
      await closed;
      abort.abort();
      await deadline;
    },
  };
}
