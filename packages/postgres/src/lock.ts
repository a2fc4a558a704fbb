import { closeSync, openSync, realpathSync, rmSync, statSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { type LockPlace, platform } from './platform.ts';

/** The right to run the server of one data directory. It ends with the process that holds it, however that ends. */
export interface Lock {
  /** Tells those waiting in {@link waitForOwner}, now and later, that the server can be used. */
  announceReady(): void;
  release(): Promise<void>;
}

/**
 * Takes the lock of a data directory.
 *
 * The lock is a socket in Linux's abstract name space: taking it is atomic and the kernel drops it when its
 * process dies, so unlike a lock file it can never be stale. It carries no secret. macOS has no such sockets: there a
 * file is held open with a lock of the kernel's, which ends with its process too, and whoever holds it makes the socket.
 * @returns undefined when another process (or an earlier call in this one) holds it
 */
export function tryLock(dataDir: string): Promise<Lock | undefined> {
  const place = lockPlace(dataDir);
  const file = openLockFile(place);
  if (file === 'held') return Promise.resolve(undefined);
  return new Promise((resolve, reject) => {
    let ready = false;
    const waiting = new Set<import('node:net').Socket>();
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.unref();
      if (ready) {
        socket.end('ready');
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
          for (const socket of waiting) socket.end('ready');
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
    const socket = connect(lockPlace(dataDir).address);
    const timer = setTimeout(() => socket.destroy(), waitMs);
    let isReady = false;
    socket.on('data', () => {
      isReady = true;
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(isReady);
    });
  });
}

/** Named after the directory itself, so that links and relative paths to it share one lock. */
function lockPlace(dataDir: string): LockPlace {
  const { dev, ino } = statSync(dataDir, { bigint: true });
  return platform.lockPlace({ path: realpathSync(dataDir), dev, ino });
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
