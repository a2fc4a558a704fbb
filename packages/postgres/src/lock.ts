import { closeSync, openSync, realpathSync, rmSync, statSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { type LockPlace, platform } from './platform.ts';

/** The right to be the only one that does something with a data directory. It ends with the process that holds it, however that ends. */
export interface Lock {
  /** Tells those waiting in {@link waitForOwner}, now and later, that what is run can be used. */
  announceReady(): void;
  release(): Promise<void>;
}

/** What is run: the database server, or the one `start` of an installation. */
type Purpose = 'postgres' | 'start';

const READY = 'ready';

/**
 * Takes the lock of a data directory.
 *
 * The lock is a socket in Linux's abstract name space: taking it is atomic and the kernel drops it when its
 * process dies, so unlike a lock file it can never be stale. It carries no secret. macOS has no such sockets: there a
 * file is held open with a lock of the kernel's, which ends with its process too, and whoever holds it makes the socket.
 * @returns undefined when another process (or an earlier call in this one) holds it
 */
export function tryLock(dataDir: string, purpose: Purpose = 'postgres'): Promise<Lock | undefined> {
  const place = lockPlace(dataDir, purpose);
  const file = openLockFile(place);
  if (file === 'held') return Promise.resolve(undefined);
  return new Promise((resolve, reject) => {
    let ready = false;
    const waiting = new Set<import('node:net').Socket>();
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.unref();
      socket.write(`${process.pid}\n`);
      if (ready) {
        socket.end(READY);
        return;
      }
      waiting.add(socket);
      socket.on('close', () => waiting.delete(socket));
    });
    server.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(undefined);
      else reject(error);
    });
    server.unref();
    server.listen(place.address, () => {
      resolve({
        announceReady() {
          ready = true;
          for (const socket of waiting) socket.end(READY);
        },
        release() {
          for (const socket of waiting) socket.destroy();
          return new Promise((done) =>
            server.close(() => {
              if (file !== undefined) closeSync(file);
              done();
            }),
          );
        },
      });
    });
  });
}

/**
 * Waits until the holder of the lock says that its server is ready.
 * @param waitMs how long to wait at most
 * @returns false when the holder ended, failed or did not get ready in time
 */
export function waitForOwner(dataDir: string, waitMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(lockPlace(dataDir, 'postgres').address);
    const timer = setTimeout(() => socket.destroy(), waitMs);
    let isReady = false;
    socket.setEncoding('utf8').on('data', (text: string) => {
      isReady ||= text.endsWith(READY);
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(isReady);
    });
  });
}

/** The number of the process that holds a lock; undefined when nobody does any more. */
export function ownerOf(dataDir: string, purpose: Purpose): Promise<number | undefined> {
  return new Promise((resolve) => {
    const socket = connect(lockPlace(dataDir, purpose).address);
    socket.setEncoding('utf8').once('data', (text: string) => {
      resolve(Number.parseInt(text, 10));
      socket.destroy();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(undefined));
  });
}

/** Named after the directory itself, so that links and relative paths to it share one lock. */
function lockPlace(dataDir: string, purpose: Purpose): LockPlace {
  const { dev, ino } = statSync(dataDir, { bigint: true });
  return platform.lockPlace({ path: realpathSync(dataDir), dev, ino, purpose });
}

/** Holds the file where the system needs one, and clears away the socket of one that died. @returns what to close */
function openLockFile({ file, address }: LockPlace): number | 'held' | undefined {
  if (file === undefined) return undefined;
  try {
    const held = openSync(file.path, file.flags, 0o600);
    rmSync(address, { force: true });
    return held;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return 'held';
    throw error;
  }
}
