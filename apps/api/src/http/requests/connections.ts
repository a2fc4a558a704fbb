import { readFileSync } from 'node:fs';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** What bounds a connection of a client, and how many there are. Times in milliseconds. */
export interface ConnectionLimits {
  /** A request is received within this, its head and its body. */
  readonly receiveWithinMs: number;
  /** Between two looks for requests that are late. */
  readonly checkEveryMs: number;
  /** A client that takes nothing of what is sent to it for this long has gone. */
  readonly stalledAfterMs: number;
  /** A client that is refused without a reply may take this long to end its side. */
  readonly lingerMs: number;
  /** Connections of clients at once. */
  readonly maxConnections: number;
}

/** Most connections at once, however many files may be open: each takes memory as well. */
const MOST_CONNECTIONS = 4_096;
/** Left for the database, gateways, files and pipes. */
const OTHER_FILES = 256;

export const standardLimits: ConnectionLimits = {
  receiveWithinMs: 25_000,
  checkEveryMs: 5_000,
  stalledAfterMs: 120_000,
  lingerMs: 2_000,
  maxConnections: connectionsWithin(openFilesLimit()),
};

/** How many connections of clients fit into a process that may have so many files open. */
export function connectionsWithin(openFiles: number): number {
  return Math.min(MOST_CONNECTIONS, openFiles - Math.min(OTHER_FILES, Math.floor(openFiles / 2)));
}

/** How many files this process may have open. */
function openFilesLimit(): number {
  try {
    const [, soft] =
      /^Max open files +(\d+|unlimited)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === 'unlimited' ? Number.MAX_SAFE_INTEGER : Number(soft ?? 1_024);
  } catch {
    return 1_024;
  }
}

/**
 * Keeps the number of open connections bounded, and ends those whose client takes nothing of its answer. When there are
 * too many, the one that has waited longest for a whole request makes room, then the one that has rested longest
 * after its answer, and only then the new one: who is being answered is never cut off.
 */
export function boundConnections(
  server: Server,
  { stalledAfterMs, maxConnections }: Pick<ConnectionLimits, 'stalledAfterMs' | 'maxConnections'>,
): void {
  const table = new ConnectionTable();
  server.on('connection', (socket: Socket) => {
    table.open(socket);
    socket.once('close', () => table.forget(socket));
    if (table.size > maxConnections) {
      const victim = table.leastNeeded(socket);
      table.forget(victim);
      victim.destroy();
    }
  });
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    table.begin(socket, hasBody(request));
    request.once('end', () => table.received(socket));
    response.once('close', () => table.end(socket));
    // Without a listener the connection would be ended, also where we are the ones who let the client wait.
    response.on('timeout', () => {
      if (socket.writableLength > 0) socket.destroy();
      else socket.setTimeout(stalledAfterMs);
    });
  });
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

/** Open connections by what they are waiting for. A set keeps the order in which its members came. */
class ConnectionTable {
  /** How many requests of each are being answered. */
  readonly #answering = new Map<Socket, number>();
  /** Those whose request is not here as a whole. */
  readonly #waiting = new Set<Socket>();
  /** Those that have been answered and may ask again. */
  readonly #resting = new Set<Socket>();

  get size(): number {
    return this.#answering.size;
  }

  open(socket: Socket): void {
    this.#answering.set(socket, 0);
    this.#waiting.add(socket);
  }

  begin(socket: Socket, isIncomplete: boolean): void {
    const requests = this.#answering.get(socket);
    if (requests === undefined) return;
    this.#answering.set(socket, requests + 1);
    this.#resting.delete(socket);
    if (isIncomplete) this.#waiting.add(socket);
    else this.#waiting.delete(socket);
  }

  received(socket: Socket): void {
    this.#waiting.delete(socket);
  }

  end(socket: Socket): void {
    const requests = this.#answering.get(socket);
    if (requests === undefined) return;
    this.#answering.set(socket, requests - 1);
    if (requests > 1) return;
    this.#waiting.delete(socket);
    this.#resting.add(socket);
  }

  forget(socket: Socket): void {
    this.#answering.delete(socket);
    this.#waiting.delete(socket);
    this.#resting.delete(socket);
  }

  /** Which connection makes room for a new one, which has just been added. */
  leastNeeded(latest: Socket): Socket {
    const [longest = latest] = this.#waiting;
    if (longest !== latest) return longest;
    const [rested = latest] = this.#resting;
    return rested;
  }
}
