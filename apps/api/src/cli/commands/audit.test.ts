import { userInfo } from 'node:os';
import { beforeAll, describe, expect, it } from 'vitest';
import { useCommands } from '../../../test/fixtures/test-commands.ts';
import { auditQuery } from '../../audit/queries.ts';
import { compile } from '../../db/sql.ts';

const { run, json, database } = useCommands();
const me = `cli:${userInfo().username}`;

interface Event {
  readonly action: string;
  readonly actor: string;
  readonly user_email: string | null;
  readonly reseller_id: number | null;
  readonly customer_id: string | null;
  readonly detail: Record<string, unknown>;
}
const events = async (...args: readonly string[]): Promise<readonly Event[]> =>
  (await json<{ events: readonly Event[] }>('audit', ...args)).events;
const names = (rows: readonly Event[]) => rows.map(({ action }) => action);

describe('what commands change', () => {
  it('is on record with who ran them, newest first', async () => {
    await json('reseller', 'add', '--id', '4201', '--name', 'Trail');
    await json('reseller', 'add', '--id', '4201', '--name', 'Trail');
    await json('reseller', 'set', '--id', '4201', '--setting', 'dataUsageChart=true');
    const { id: brand } = await json<{ id: number }>('brand', 'add', '--reseller', '4201', '--name', 'Path');
    await json('brand', 'set', '--id', `${brand}`, '--setting', 'invoiceLabelSingular=Bill');
    await json('brand', 'host', '--id', `${brand}`, '--add', 'trail.example');
    await json('brand', 'host', '--id', `${brand}`, '--add', 'trail.example');
    const { id } = await json<{ id: string }>('customer', 'add', '--reseller', '4201', '--label', 'Quay');
    const secret = 'sk_test_neverOnRecord';
    const keys = ['secretKey', 'publishableKey=pk_test_x', 'webhookSecrets=whsec_x'];
    const settings = keys.flatMap((key) => ['--set', key.includes('=') ? key : `${key}=${secret}`]);
    await json('gateway', 'set', '--reseller', '4201', '--gateway', 'stripe', ...settings);
    await json('gateway', 'disable', '--reseller', '4201');
    const rows = await events('--reseller', '4201');
    expect(names(rows)).toEqual([
      'gateway.disabled',
      'gateway.set',
      'customer.added',
      'brand.changed',
      'brand.changed',
      'brand.added',
      'reseller.changed',
      'reseller.added',
    ]);
    expect(new Set(rows.map(({ actor }) => actor))).toEqual(new Set([me]));
    expect(rows[1]?.detail).toMatchObject({
      gateway: 'stripe',
      'after.publishableKey': 'pk_test_x',
      secretsSet: 'secretKey webhookSecrets',
    });
    expect(rows[2]).toMatchObject({ customer_id: id, detail: { label: 'Quay' } });
    expect(rows[4]?.detail).toEqual({ brand, settings: 'invoiceLabelSingular=Bill' });
    expect(JSON.stringify(rows)).not.toContain(secret);
  });

  it('in a user’s account names both', async () => {
    await json('reseller', 'add', '--id', '4202', '--name', 'People');
    const { id } = await json<{ id: string }>('customer', 'add', '--reseller', '4202', '--label', 'Pier');
    const user = ['--email', 'Zoe@trail.example'];
    await json('user', 'add', '--reseller', '4202', ...user, '--name', 'Zoe', '--invite');
    await json('user', 'invite', ...user);
    await json('user', 'member', ...user, '--customer', id);
    await json('user', 'member', ...user, '--customer', id);
    await json('user', 'member', ...user, '--remove', id);
    await json('user', 'password', ...user, '--password', 'harbour-lantern-47');
    await json('user', 'disable', ...user);
    await json('user', 'disable', ...user, '--undo');
    const rows = await events('--user', 'zoe@Trail.example');
    expect(names(rows)).toEqual([
      'user.enabled',
      'user.disabled',
      'password.changed',
      'user.memberRemoved',
      'user.memberAdded',
      'user.invited',
      'user.added',
    ]);
    for (const row of rows) {
      expect(row).toMatchObject({ actor: me, user_email: 'zoe@trail.example', reseller_id: 4202 });
    }
    expect(rows[4]).toMatchObject({ customer_id: id });
    expect(JSON.stringify(rows)).not.toContain('lantern');
  });

  it('is not on record when the command was refused', async () => {
    const before = (await events()).length;
    expect(await run('user', 'disable', '--email', 'nobody@trail.example')).toMatchObject({ code: 1 });
    expect(await run('brand', 'set', '--id', '999999', '--name', 'X')).toMatchObject({ code: 1 });
    expect(await events()).toHaveLength(before);
  });
});

describe('counterfoil audit', () => {
  beforeAll(async () => {
    const line = `insert into audit_event (id, at, action, user_email, actor, address, request_id, detail)
                  values (gen_random_uuid(), $1, $2, $3, $4, $5, $6, $7)`;
    const add = (...values: readonly unknown[]) => database.pool().query(line, [...values]);
    await json('migrate').catch(() => undefined);
    await add('2025-03-01T08:00:00Z', 'signIn.succeeded', 'a@x.example', null, '192.0.2.7', 'req-1', {});
    await add(
      '2025-03-02T08:00:00Z',
      'loginCode.used',
      'a@x.example',
      'Sam (support)',
      '192.0.2.8',
      'req-2',
      {
        reason: 'call 17\u001b[2J',
      },
    );
    await add('2025-03-03T08:00:00Z', 'signOut', 'a@x.example', 'Sam (support)', '192.0.2.8', 'req-3', {});
  });
  const of = (...args: readonly string[]) => events('--user', 'a@x.example', ...args).then(names);

  it('shows a table that says who, in whose name, what, when and from where', async () => {
    const { code, out } = await run('audit', '--user', 'a@x.example');
    expect(code).toBe(0);
    const lines = out.split('\n');
    expect(lines[0]).toMatch(/^when \(UTC\) +who +in the name of +what +from +about$/);
    expect(lines.slice(2).map((line) => line.split(/ {2,}/))).toEqual([
      ['2025-03-03 08:00:00', 'Sam (support)', 'a@x.example', 'signOut', '192.0.2.8', 'request=req-3'],
      [
        '2025-03-02 08:00:00',
        'Sam (support)',
        'a@x.example',
        'loginCode.used',
        '192.0.2.8',
        'reason=call 17?[2J request=req-2',
      ],
      ['2025-03-01 08:00:00', 'a@x.example', 'signIn.succeeded', '192.0.2.7', 'request=req-1'],
    ]);
  });

  it('filters by action, time and number', async () => {
    expect(await of('--action', 'signOut')).toEqual(['signOut']);
    expect(await of('--since', '2025-03-02')).toEqual(['signOut', 'loginCode.used']);
    expect(await of('--since', '2025-03-02T08:00:01Z')).toEqual(['signOut']);
    expect(await of('--until', '2025-03-02T08:00')).toEqual(['signIn.succeeded']);
    expect(await of('--limit', '1')).toEqual(['signOut']);
    expect(await of('--since', '7d')).toEqual([]);
    expect((await run('audit', '--action', 'nothing.such')).out).toBe('Nothing is on record for that.');
  });

  it.each(['yesterday', '7', '7y', '2025-13-01', '2025-03-01T8', ''])(
    'refuses %j as a time',
    async (time) => {
      expect(await run('audit', '--since', time)).toMatchObject({ code: 2 });
    },
  );

  it('reads by an index whatever it is asked for', async () => {
    const pool = database.pool();
    const plan = async (filter: Parameters<typeof auditQuery>[0]): Promise<string> => {
      const client = await pool.connect();
      try {
        // A small table is read whole; what counts is that an index can serve the order and the filter.
        await client.query('set enable_seqscan = off; set enable_sort = off; set enable_bitmapscan = off');
        const { text, values } = compile(auditQuery(filter));
        const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain ${text}`, values);
        return rows.map((row) => row['QUERY PLAN']).join('\n');
      } finally {
        client.release(true);
      }
    };
    const limit = 100;
    expect(await plan({ limit })).toContain('audit_event_at_id_idx');
    expect(await plan({ limit, since: new Date(0) })).toContain('audit_event_at_id_idx');
    expect(await plan({ limit, userEmail: 'a@x.example' })).toContain('audit_event_user_email_at_id_idx');
    expect(await plan({ limit, resellerId: 7 })).toContain('audit_event_reseller_id_at_id_idx');
    expect(await plan({ limit, action: 'signOut' })).toContain('audit_event_action_at_id_idx');
  });
});
