import { newToken } from '@counterfoil/domain/text/ids.ts';
import {
  hasValidLength,
  MAX_PASSWORD_LENGTH,
  registrationProblems,
} from '@counterfoil/domain/text/password.ts';
import type { Db } from '../db/database.ts';
import { type PasswordSettings, refuseBadPassword } from '../features/auth/passwords/account-password.ts';
import type { UserRow } from '../features/auth/queries.ts';
import { CommandError, type Invocation, UsageError } from './command.ts';

export const passwordOptions = {
  password: {
    type: 'string',
    help: 'the password; other users of this machine may see it while the command runs',
  },
  'password-stdin': { type: 'boolean', help: 'reads the password from standard input (one line)' },
} as const;

/** How long a password that a command made opens the account; the same as a registration link. */
const MADE_PASSWORD_MS = 7 * 24 * 60 * 60_000;

export interface NewPassword {
  readonly text: string;
  /** When one that was made here runs out; undefined for one that was given. */
  readonly expiresAt: Date | undefined;
}

/**
 * The password a command was given, or a new random one that runs out after seven days. Whether a given one may be
 * chosen is looked at by {@link requireGoodPassword}, once it is known whose it is.
 * @throws {CommandError} when it is too short or too long
 */
export async function newPassword(
  invocation: Invocation,
  config: PasswordSettings,
  now: Date,
): Promise<NewPassword> {
  const given = invocation.text('password');
  const fromInput = invocation.flag('password-stdin');
  if (given !== undefined && fromInput) throw new UsageError('give one of --password and --password-stdin');
  if (given === undefined && !fromInput) {
    return { text: madePassword(config), expiresAt: new Date(now.getTime() + MADE_PASSWORD_MS) };
  }
  const text = given ?? (await firstLine(process.stdin));
  if (!hasValidLength(text, config.passwordMinLength)) {
    throw new CommandError(`a password has ${config.passwordMinLength} to ${MAX_PASSWORD_LENGTH} characters`);
  }
  return { text, expiresAt: undefined };
}

/** At least 126 random bits, in the characters that the rules of registration ask for. */
function madePassword({ passwordMinLength, passwordRule }: PasswordSettings): string {
  const bytes = Math.max(16, Math.ceil((passwordMinLength * 3) / 4));
  for (;;) {
    const text = `${newToken(bytes).slice(0, -1)}!`;
    if (registrationProblems(text, text, passwordRule, passwordMinLength).length === 0) return text;
  }
}

/**
 * Holds a given password to the rules of the pages: one of a new user to those of registration, another to those of a
 * change or reset.
 * @throws {AppError} in the words the pages have
 */
export async function requireGoodPassword(
  db: Db,
  config: PasswordSettings,
  user: UserRow,
  password: NewPassword,
  at: 'registration' | 'change',
): Promise<void> {
  if (password.expiresAt !== undefined) return;
  await refuseBadPassword({ db, settings: config }, user, password.text, at);
}

/** What a command prints of a password that it made; nothing of one that it was given. */
export const madePasswordLines = ({ text, expiresAt }: NewPassword): string[] =>
  expiresAt === undefined
    ? []
    : [
        `password ${text}`,
        `It works until ${expiresAt.toISOString().slice(0, 16).replace('T', ' ')} UTC: the user should sign in before and choose their own.`,
      ];

/** The same for programs. */
export const madePasswordFields = ({ text, expiresAt }: NewPassword) =>
  expiresAt === undefined ? {} : { password: text, passwordExpiresAt: expiresAt.toISOString() };

/** What one line of an input says: a password, or another secret. */
export async function firstLine(input: AsyncIterable<Buffer | string>): Promise<string> {
  let text = '';
  for await (const chunk of input) {
    text += chunk.toString();
    if (text.includes('\n') || text.length > 10_000) break;
  }
  return text.split(/\r?\n/, 1)[0] ?? '';
}
