import { isTooLong } from '@counterfoil/domain/password.ts';
import { hash, verify } from '@node-rs/argon2';

const ARGON2ID = 2;
// Argon2id, 19 MiB, two passes: the OWASP minimum, 5 ms on one core here.
const OPTIONS = { algorithm: ARGON2ID, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
// Verified against when there is no such user, so that both cases take the same time.
const NOBODY = await hash('nobody has this password', OPTIONS);

/** @returns a PHC string */
export function hashPassword(password: string): Promise<string> {
  return hash(password, OPTIONS);
}

/** Whether the password fits; takes the same time when there is no hash. */
export async function passwordFits(stored: string | null, password: string): Promise<boolean> {
  // A password nobody can have is not hashed at its length; the time is that of any other.
  const tooLong = isTooLong(password);
  const fits = await verify(stored ?? NOBODY, tooLong ? '' : password);
  return fits && stored !== null && !tooLong;
}
