import { generateSync } from 'otplib';

/** What an authenticator app shows. @param steps so many times 30 s later */
export const otpCode = (secret: string, at: Date, steps = 0): string =>
  generateSync({ secret, epoch: Math.floor(at.getTime() / 1000) + steps * 30 });
