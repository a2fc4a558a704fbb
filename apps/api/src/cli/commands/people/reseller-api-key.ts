import { addApiKey, listApiKeys, revokeApiKey } from '../../../features/api-keys/service.ts';
import { neededNumber, noWords } from '../../arguments.ts';
import { type Command, CommandError, type Invocation, table, UsageError } from '../../command.ts';
import { recordCommand } from '../../record-command.ts';
import { inTransaction, withRuntime } from '../../with-runtime.ts';

/** Keys with which a provider's own programs call the API. */
const apiKey: Command = {
  usage: '--id <number> [--add <name> | --revoke <name>]',
  details: [
    'A key may upload usage of all the reseller’s customers. It is printed once and kept nowhere; what is stored is its',
    'hash. An ended key is refused from the next call on.',
  ],
  options: {
    id: { type: 'string', value: '<number>', help: 'the reseller' },
    add: { type: 'string', value: '<name>', help: 'makes a key; the name says what it is for' },
    revoke: { type: 'string', value: '<name>', help: 'ends a key' },
  },
  async run(invocation) {
    noWords(invocation);
    const id = neededNumber(invocation, 'id');
    const [added, revoked] = [invocation.text('add'), invocation.text('revoke')];
    if (added !== undefined && revoked !== undefined) throw new UsageError('either --add or --revoke');
    if (added !== undefined) return add(invocation, id, checkedName(added));
    if (revoked !== undefined) return revoke(invocation, id, revoked);
    return list(invocation, id);
  },
};

function checkedName(name: string): string {
  const text = name.trim();
  if (text === '' || text.length > 100) throw new UsageError('the name of a key has 1 to 100 characters');
  return text;
}

async function add(invocation: Invocation, resellerId: number, name: string): Promise<number> {
  const key = await inTransaction(async (tx, { clock }) => {
    const made = await addApiKey(tx, resellerId, name, clock.now());
    if (made === undefined)
      throw new CommandError(`there is no reseller ${resellerId}, or it has had a key '${name}' already`);
    await recordCommand(tx, clock.now(), { action: 'apiKey.added', resellerId, detail: { name } });
    return made;
  });
  invocation.print({ resellerId, name, key }, [key]);
  return 0;
}

async function revoke(invocation: Invocation, resellerId: number, name: string): Promise<number> {
  await inTransaction(async (tx, { clock }) => {
    if (!(await revokeApiKey(tx, resellerId, name, clock.now())))
      throw new CommandError(`reseller ${resellerId} has no key '${name}' in use`);
    await recordCommand(tx, clock.now(), { action: 'apiKey.revoked', resellerId, detail: { name } });
  });
  invocation.print({ resellerId, name, revoked: true }, [`Key '${name}' ended.`]);
  return 0;
}

async function list(invocation: Invocation, resellerId: number): Promise<number> {
  const rows = await withRuntime(({ databases }) => listApiKeys(databases.web, resellerId));
  const keys = rows.map((row) => ({
    name: row.name,
    createdAt: row.created_at.toISOString(),
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
    revokedAt: row.revoked_at?.toISOString() ?? null,
  }));
  invocation.print(
    { keys },
    table(
      ['name', 'created', 'last used (hour)', 'ended'],
      keys.map((key) => [key.name, key.createdAt, key.lastUsedAt ?? 'never', key.revokedAt ?? '']),
    ),
  );
  return 0;
}

export const actions = { 'api-key': apiKey };
