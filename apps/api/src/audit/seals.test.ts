import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { useFixture } from '../../test/fixtures/test-fixture.ts';
import { sql } from '../db/sql.ts';
import { recordAudit } from './record.ts';
import { checkAudit, eraseLines, sealAudit } from './seals.ts';

const fixture = useFixture();
const query = (text: string, values: unknown[] = []) => fixture.database.pool().query(text, values);
const database = () => fixture.deps.databases.jobs;

const seal = () => sealAudit({ db: database(), clock: fixture.clock, log: fixture.deps.log });
const check = (...expected: string[]) => checkAudit(database(), expected);
const faults = async (...expected: string[]) =>
  (await check(...expected)).faults.map(({ seal: n, fault }) => `${n}: ${fault}`);

/** Writes a trail of three seals with two lines each. @returns ids of the lines */
async function trail(): Promise<readonly string[]> {
  await query('delete from audit_event');
  await query('delete from audit_seal');
  for (let minute = 0; minute < 3; minute += 1) {
    fixture.clock.set(`2026-03-02T10:0${minute}:00Z`);
    await database().transaction(async (tx) => {
      for (const text of ['a', 'b\n"],["'])
        await recordAudit(tx, {
          action: 'customer.added',
          at: fixture.clock.now(),
          detail: { text, minute },
        });
    });
    fixture.clock.set(`2026-03-02T10:0${minute + 1}:30Z`);
    // Two workers at once make one seal.
    await Promise.all([seal(), seal()]);
  }
  return (await query('select id from audit_event order by seal, id')).rows.map(({ id }) => id);
}

describe('the audit trail', () => {
  it('is sealed in a chain, what is newer than a minute later, and nothing twice', async () => {
    await trail();
    fixture.clock.set('2026-03-02T10:20:00Z');
    await database().transaction((tx) =>
      recordAudit(tx, { action: 'customer.added', at: new Date('2026-03-02T10:19:30Z') }),
    );
    await seal();
    expect(await check()).toMatchObject({ seals: 3, lines: 6, unsealed: 1, faults: [] });
    expect((await check()).newest).toMatch(/^3:[0-9a-f]{64}$/);
  });

  it('holds when what was about a person is erased, and then still tells of a change to the rest', async () => {
    const ids = await trail();
    const erase = (id: string | undefined) =>
      database().transaction((tx) => eraseLines(tx, sql`e.id = ${id}`));
    await query('update audit_event set seal = null where id = $1', [ids[5]]);
    await query('delete from audit_seal where n = 3');
    await query('update audit_event set seal = null where seal = 3');
    for (const id of [ids[2], ids[2], ids[5]]) expect(await erase(id)).toBe(1);
    const { rows } = await query(
      'select id, detail, salt, personal is null as "isWhole" from audit_event where id = any($1) order by id',
      [[ids[2], ids[5]]],
    );
    expect(rows.map(({ detail, salt, isWhole }) => [detail, salt, isWhole])).toEqual([
      [{}, null, false],
      [{}, null, true],
    ]);
    await seal();
    expect(await check()).toMatchObject({ seals: 3, erased: 1, faults: [] });
    await query("update audit_event set action = 'customer.changed' where id = $1", [ids[2]]);
    expect(await faults()).toEqual(['2: lines were changed']);
  });

  it.each<readonly [string, (ids: readonly string[]) => Promise<unknown>, readonly string[]]>([
    [
      'changed',
      (ids) => query("update audit_event set actor = 'somebody else' where id = $1", [ids[2]]),
      ['2: lines were changed'],
    ],
    [
      'changed by a space in its detail',
      (ids) => query(`update audit_event set detail = '{"text": "a ", "minute": 1}' where id = $1`, [ids[2]]),
      ['2: lines were changed'],
    ],
    [
      'taken away',
      (ids) => query('delete from audit_event where id = $1', [ids[2]]),
      ['2: lines are missing: 1 of 2'],
    ],
    [
      'put in later',
      () =>
        query("insert into audit_event (id, at, action, seal) values ($1, now(), 'customer.added', 2)", [
          randomUUID(),
        ]),
      ['2: lines were put in later: 1'],
    ],
    [
      'put in with a seal that is not there',
      () =>
        query("insert into audit_event (id, at, action, seal) values ($1, now(), 'customer.added', 9)", [
          randomUUID(),
        ]),
      ['–: lines name a seal that is not here: 1'],
    ],
    [
      'taken away with its seal',
      async () => {
        await query('delete from audit_event where seal = 2');
        await query('delete from audit_seal where n = 2');
      },
      ['3: seals before it are missing: 1'],
    ],
    [
      'sealed anew by hand',
      async () => {
        await query('update audit_event set seal = null where seal >= 2');
        await query('delete from audit_seal where n >= 2');
        await query("update audit_event set actor = 'somebody else' where seal is null");
        await seal();
      },
      [],
    ],
  ])('tells of a line that was %s', async (_what, meddle, found) => {
    const ids = await trail();
    const kept = (await check()).newest ?? '';
    await meddle(ids);
    const wrong = await faults();
    expect(wrong.slice(0, found.length || undefined)).toEqual(found);
    // What was kept elsewhere shows what the chain itself cannot.
    const isRemade = found.length === 0;
    expect(await faults(kept)).toEqual(
      isRemade ? [expect.stringMatching(/^3: it (is not the one that|was kept elsewhere)/)] : wrong,
    );
  });

  it('may begin later, where old lines were deleted with their seals', async () => {
    await trail();
    await query('delete from audit_event where seal <= 1');
    await query('delete from audit_seal where n <= 1');
    expect(await check()).toMatchObject({ seals: 2, lines: 4, faults: [] });
  });
});
