/** Watches the requests of one case: what it could not reach is not what it got wrong. */
import type { GatewayFetch } from '../kit/http.ts';
import { describeFault } from '../kit/redact.ts';

export interface Watch {
  readonly fetch: GatewayFetch;
  /** The latest trouble that was not the adapter's: a fault of the network, 429, or a fault the service admits. */
  trouble(): string | undefined;
  /** Whether an answer is waited for. */
  isWaiting(): boolean;
  /** From now on nothing is sent any more. */
  close(): void;
  /** Until nothing is under way, `ms` at most. */
  settled(ms: number): Promise<void>;
}

/** Statuses that carry no body; a Response refuses one. */
const bodiless = new Set([101, 204, 205, 304]);

/** @param fetchWith what really sends */
export function watch(fetchWith: GatewayFetch): Watch {
  const underWay = new Set<Promise<unknown>>();
  let latest: string | undefined;
  let isOpen = true;

  const send: GatewayFetch = async (input, init) => {
    if (!isOpen) throw new Error('the case is over');
    try {
      const response = await fetchWith(input, init);
      // The whole body here: a connection that is cut in the middle is trouble too.
      const bytes = await response.arrayBuffer();
      const { status, headers } = response;
      if (status >= 500 || status === 429) latest = `the service answered ${status}`;
      return new Response(bodiless.has(status) ? null : bytes, { status, headers });
    } catch (fault) {
      latest = describeFault(fault);
      throw fault;
    }
  };

  return {
    fetch: (input, init) => {
      const answer = send(input, init);
      const over: Promise<unknown> = answer.then(
        () => underWay.delete(over),
        () => underWay.delete(over),
      );
      underWay.add(over);
      return answer;
    },
    trouble: () => latest,
    isWaiting: () => underWay.size > 0,
    close() {
      isOpen = false;
    },
    async settled(ms) {
      const limit = new AbortController();
      const late = new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        limit.signal.addEventListener('abort', () => clearTimeout(timer));
      });
      await Promise.race([Promise.all(underWay), late]);
      limit.abort();
    },
  };
}
