import { type ApiScope, apiScopes, isApiScope } from '@counterfoil/contract/operator/access/api-keys.ts';
import { endKey, listApiKeys, makeKey, replaceKey } from '../../../features/api-keys/service.ts';
import {
  checkedMomentAhead,
  checkedSpan,
  needed,
  neededNumber,
  noWords,
  optionalNumber,
  resellerOption,
} from '../../arguments/arguments.ts';
import { type Command, CommandError, type Invocation, table, UsageError } from '../../command.ts';
import { commandActor } from '../../record-command.ts';
import { inTransaction, withRuntime } from '../../with-runtime.ts';

const DAY_MS = 86_400_000;

const ownerOptions = {
  ...resellerOption,
  installation: { type: 'boolean', help: 'of the installation, for every reseller, instead of --reseller' },
} as const;
const keyOptions = { ...ownerOptions, name: { type: 'string', help: 'what the key is for' } } as const;
const expiresOption = {
  expires: {
    type: 'string',
    value: '<when>',
    check: checkedMomentAhead,
    help: 'when it runs out: a day or time (ISO 8601), or a span such as 90d',
  },
} as const;

const scopeNames = Object.entries(apiScopes).map(([name, words]) => `  ${name.padEnd(16)}${words}`);

/** A key of the installation has to be asked for, so that a forgotten option does not make the widest one. */
function ownerOf(invocation: Invocation): number | null {
  const isInstallation = invocation.flag('installation');
  if (isInstallation && invocation.text('reseller') !== undefined)
    throw new UsageError('either --reseller or --installation');
  return isInstallation ? null : neededNumber(invocation, 'reseller');
}

function nameOf(invocation: Invocation): string {
  const name = needed(invocation, 'name').trim();
  if (name.length > 100) throw new UsageError('the name of a key has 1 to 100 characters');
  return name;
}

function scopesOf(invocation: Invocation): readonly ApiScope[] {
  const given = invocation.texts('scope').flatMap((text) => text.split(',').map((one) => one.trim()));
  const scopes = given.map((scope) => {
    if (isApiScope(scope)) return scope;
    throw new UsageError(`'${scope}' is no scope; there are ${Object.keys(apiScopes).join(', ')}`);
  });
  if (scopes.length === 0) throw new UsageError('--scope is missing: what may the key do?');
  return [...new Set(scopes)];
}

function expiryOf(invocation: Invocation, now: Date): Date | undefined {
  const text = invocation.text('expires');
  return text === undefined ? undefined : checkedMomentAhead('expires', text, now);
}

const whose = (resellerId: number | null): string =>
  resellerId === null ? 'the installation' : `reseller ${resellerId}`;

const add: Command = {
  usage: '--reseller <id> --name <text> --scope <scope> … [--expires <when>]',
  details: ['The key is printed once and kept nowhere; what is stored is its hash. Scopes:', ...scopeNames],
  options: {
    ...keyOptions,
    scope: {
      type: 'string',
      value: '<scope>',
      multiple: true,
      help: 'what it may do; several, or by commas',
    },
    ...expiresOption,
  },
  async run(invocation) {
    noWords(invocation);
    const [resellerId, name, scopes] = [ownerOf(invocation), nameOf(invocation), scopesOf(invocation)];
    const made = await inTransaction(async (tx, { clock }) => {
      const now = clock.now();
      const expiresAt = expiryOf(invocation, now) ?? null;
      const wanted = { resellerId, name, scopes, expiresAt };
      const key = await makeKey(tx, wanted, { actor: commandActor() }, now);
      if (key === undefined)
        throw new CommandError(
          `there is no reseller ${resellerId}, or ${whose(resellerId)} has had a key '${name}' already`,
        );
      return { key, expiresAt: expiresAt?.toISOString() ?? null };
    });
    invocation.print({ resellerId, name, scopes, ...made }, [made.key]);
    return 0;
  },
};

const rotate: Command = {
  usage: '--reseller <id> --name <text> [--grace <span>] [--expires <when>]',
  details: ['One that was replaced earlier ends now. What the key may do stays.'],
  options: {
    ...keyOptions,
    grace: {
      type: 'string',
      value: '<span>',
      check: checkedSpan,
      help: 'how long the old secret works on, such as 30m, 24h or 7d (24h); 0m: it ends now',
    },
    ...expiresOption,
  },
  async run(invocation) {
    noWords(invocation);
    const [resellerId, name] = [ownerOf(invocation), nameOf(invocation)];
    const grace = invocation.text('grace');
    const graceMs = grace === undefined ? DAY_MS : checkedSpan('grace', grace);
    const made = await inTransaction(async (tx, { clock }) => {
      const now = clock.now();
      const previousUntil = new Date(now.getTime() + graceMs);
      const expiresAt = expiryOf(invocation, now);
      const named = { reseller_id: resellerId, name };
      const change = { previousUntil, expiresAt };
      const key = await replaceKey(tx, named, change, { actor: commandActor() }, now);
      if (key === undefined) throw new CommandError(`${whose(resellerId)} has no key '${name}' in use`);
      return { key, previousUntil: previousUntil.toISOString() };
    });
    invocation.print({ resellerId, name, ...made }, [made.key]);
    return 0;
  },
};

const revoke: Command = {
  usage: '--reseller <id> --name <text>',
  options: keyOptions,
  async run(invocation) {
    noWords(invocation);
    const [resellerId, name] = [ownerOf(invocation), nameOf(invocation)];
    await inTransaction(async (tx, { clock }) => {
      const named = { reseller_id: resellerId, name };
      if (!(await endKey(tx, named, { actor: commandActor() }, clock.now())))
        throw new CommandError(`${whose(resellerId)} has no key '${name}' in use`);
    });
    invocation.print({ resellerId, name, revoked: true }, [`Key '${name}' ended.`]);
    return 0;
  },
};

const list: Command = {
  usage: '[--reseller <id>]',
  options: resellerOption,
  async run(invocation) {
    noWords(invocation);
    const resellerId = optionalNumber(invocation, 'reseller');
    const rows = await withRuntime(({ databases }) => listApiKeys(databases.web, resellerId));
    const at = (moment: Date | null) => moment?.toISOString() ?? null;
    const keys = rows.map((row) => ({
      resellerId: row.reseller_id,
      name: row.name,
      scopes: row.scopes,
      createdAt: row.created_at.toISOString(),
      expiresAt: at(row.expires_at),
      rotatedAt: at(row.rotated_at),
      previousUntil: at(row.previous_until),
      lastUsedAt: at(row.last_used_at),
      revokedAt: at(row.revoked_at),
    }));
    invocation.print(
      { keys },
      table(
        ['reseller', 'name', 'created', 'last used (hour)', 'runs out', 'ended', 'scopes'],
        keys.map((key) => [
          key.resellerId === null ? 'all' : `${key.resellerId}`,
          key.name,
          key.createdAt,
          key.lastUsedAt ?? 'never',
          key.expiresAt ?? 'never',
          key.revokedAt ?? '',
          key.scopes.join(' '),
        ]),
      ),
    );
    return 0;
  },
};

export const actions = { add, list, rotate, revoke };
