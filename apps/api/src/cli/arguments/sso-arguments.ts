import type { Runtime } from '../../runtime.ts';
import { type Invocation, UsageError } from '../command.ts';
import { firstLine } from '../new-password.ts';

/** What every single sign-on is told of its provider. */
export const providerOptions = {
  issuer: {
    type: 'string',
    value: '<address>',
    help: 'of the provider, such as https://login.example.com',
  },
  'client-id': { type: 'string', value: '<id>', help: 'what the provider knows this portal by' },
  'client-secret': { type: 'string', help: 'its secret; other users of this machine may see it meanwhile' },
  'client-secret-stdin': { type: 'boolean', help: 'reads the secret from standard input (one line)' },
} as const;

/** The client secret, where one is given. @throws {UsageError} where it is given twice */
export async function secretOf(invocation: Invocation): Promise<string | undefined> {
  const given = invocation.text('client-secret');
  if (!invocation.flag('client-secret-stdin')) return given;
  if (given !== undefined) throw new UsageError('give one of --client-secret and --client-secret-stdin');
  return firstLine(process.stdin);
}

/** Which of two opposite flags is given; undefined: neither. @throws {UsageError} where both are */
export function oneOf(invocation: Invocation, yes: string, no: string): boolean | undefined {
  const [isYes, isNo] = [invocation.flag(yes), invocation.flag(no)];
  if (isYes && isNo) throw new UsageError(`give one of --${yes} and --${no}`);
  return isYes || isNo ? isYes : undefined;
}

/** Where the provider sends people back to, at each of these hosts and at the installation's own. @param path of the callback */
export function redirectUrisOf({ config }: Runtime, hosts: readonly string[], path: string): string[] {
  const { publicUrl } = config;
  const origins = [...hosts, publicUrl.hostname].map((host) => {
    const url = new URL(publicUrl);
    url.hostname = host;
    return url.origin;
  });
  return [...new Set(origins)].map((origin) => `${origin}${path}`);
}
