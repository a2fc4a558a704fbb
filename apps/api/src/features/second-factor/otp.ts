import { generateSecret, generateURI, verifySync } from 'otplib';

/** Seconds a code is shown; what every app takes when nothing else is said (RFC 6238). */
const PERIOD_SECONDS = 30;
/** RFC 4226 4: at least 128 bits, 160 recommended. */
const SECRET_BYTES = 20;

/** A new secret for an authenticator app, in base32. */
export const newOtpSecret = (): string => generateSecret({ length: SECRET_BYTES });

/** What the QR code holds: apps show the issuer above the label. */
export const otpUri = (secret: string, issuer: string, label: string): string =>
  generateURI({ strategy: 'totp', issuer, label, secret });

/**
 * The time step a code is of: now, or one step before or after it, for clocks that differ and people who type slowly.
 * @param typed as the person typed it; spaces and hyphens do not count
 * @returns undefined for any other code
 */
export function stepOfCode(secret: string, typed: string, now: Date): number | undefined {
  const token = typed.replaceAll(/[\s-]/g, '');
  if (!/^\d{6}$/.test(token)) return undefined;
  const epoch = Math.floor(now.getTime() / 1000);
  const found = verifySync({ strategy: 'totp', secret, token, epoch, epochTolerance: PERIOD_SECONDS });
  return found.valid && 'timeStep' in found ? found.timeStep : undefined;
}
