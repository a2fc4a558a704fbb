import { newToken } from '@counterfoil/domain/ids.ts';
import { hasValidLength, MAX_PASSWORD_LENGTH } from '@counterfoil/domain/password.ts';
import type { Config } from '../config.ts';
import { CommandError, type Invocation, UsageError } from './command.ts';

export const passwordOptions = {
  password: {
    type: 'string',
    help: 'the password; other users of this machine may see it while the command runs',
  },
  'password-stdin': { type: 'boolean', help: 'reads the password from standard input (one line)' },
} as const;

/**
 * The password a command was given, or a new random one of 128 bits.
 * @throws {CommandError} when it is too short or too long
 */
export async function newPassword(
  invocation: Invocation,
  config: Pick<Config, 'passwordMinLength'>,
): Promise<{ text: string; isMade: boolean }> {
  const given = invocation.text('password');
  const fromInput = invocation.flag('password-stdin');
  if (given !== undefined && fromInput) throw new UsageError('give one of --password and --password-stdin');
  if (given === undefined && !fromInput) return { text: newToken(), isMade: true };
  const text = given ?? (await firstLine(process.stdin));
  if (!hasValidLength(text, config.passwordMinLength)) {
    throw new CommandError(`a password has ${config.passwordMinLength} to ${MAX_PASSWORD_LENGTH} characters`);
  }
  return { text, isMade: false };
}

/** What one line of an input says: a password, or another secret. */
export async function firstLine(input: AsyncIterable<Buffer | string>): Promise<string> {
  let text = '';
  for await (const chunk of input) {
    text += chunk.toString();
    if (text.includes('\n') || text.length > 10_000) break;
  }
  return text.split(/\r?\n/, 1)[0] ?? '';
}
