import { availableParallelism } from 'node:os';
import { isTooLong } from '@counterfoil/domain/text/password.ts';
import { hash, verify } from '@node-rs/argon2';
import { threadPoolSize } from '../../../config.ts';
import { HashingQueue } from './hashing-queue.ts';

const ARGON2ID = 2;
// Argon2id, 64 MiB, two passes: well above the OWASP minimum, 30 ms of a core (docs/adr/0019).
const OPTIONS = { algorithm: ARGON2ID, memoryCost: 65_536, timeCost: 2, parallelism: 1 } as const;
// Hashing runs on libuv's threads, which files, host names and compression need as well: two are left to them.
const OTHERS_THREADS = 2;
// One queue for the process, because the threads are. Five seconds of a single core's hashes may wait.
const queue = new HashingQueue({
  atOnce: Math.max(1, Math.min(availableParallelism(), threadPoolSize - OTHERS_THREADS)),
  mostWaiting: 1_000,
  longestWaitMs: 5_000,
});
// Verified against when there is no such user, so that both cases take the same time.
const NOBODY = await hash('nobody has this password', OPTIONS);

/** @returns a PHC string. @throws {AppError} server.busy when too many wait for a core */
export function hashPassword(password: string): Promise<string> {
  return queue.run(() => hash(password, OPTIONS));
}

/** Whether the password was made by a command, and too long ago to open the account. */
export const isPasswordOver = (user: { readonly password_expires_at: Date | null }, now: Date): boolean =>
  user.password_expires_at !== null && user.password_expires_at <= now;

/**
 * Whether the password fits; takes the same time when there is no hash.
 * @throws {AppError} server.busy when too many wait for a core
 */
export async function passwordFits(stored: string | null, password: string): Promise<boolean> {
  // A password nobody can have is not hashed at its length; the time is that of any other.
  const tooLong = isTooLong(password);
  const fits = await queue.run(() => verify(stored ?? NOBODY, tooLong ? '' : password));
  return fits && stored !== null && !tooLong;
}
