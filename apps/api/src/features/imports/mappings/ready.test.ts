import { describe, expect, it } from 'vitest';
import { useImportFixture } from '../../../../test/fixtures/import-fixture.ts';
import { sql } from '../../../db/sql.ts';

const fixture = useImportFixture();

/** What is in, in the order of time: the columns that a mapping decides. */
const records = () =>
  fixture.db.many(sql`
    select to_char(r.started_at at time zone 'UTC', 'MM-DD HH24:MI:SS') as at, s.code as service, t.code as type,
           i.name as line, r.service_item2 as to, r.service_item3 as third, r.units,
           case when r.has_price then r.price::text end as price, t.unit
      from usage_record r join record_type t on t.id = r.record_type_id join service s on s.id = t.service_id
      join service_item i on i.customer_id = r.customer_id and i.id = r.service_item_id
     order by r.started_at, r.units`);
const take = async (content: string) => {
  const [path, customer] = [await fixture.file(content), fixture.customerId];
  const report = await fixture.run([path], { customer });
  const [{ format, created, updated, unchanged, quarantined } = {} as never] = report.files;
  return [
    format,
    created,
    updated,
    unchanged,
    quarantined,
    ...report.quarantine.map((entry) => entry.reason),
  ];
};

describe('FreeSWITCH', () => {
  const line = (over: Partial<Record<'answer' | 'billsec' | 'cause' | 'uuid' | 'account', string>> = {}) =>
    `"Desk","555-0100","+441632960001","default","2026-03-02 09:00:00","${over.answer ?? '2026-03-02 09:00:04'}","2026-03-02 09:01:00","60","${over.billsec ?? '56'}","${over.cause ?? 'NORMAL_CLEARING'}","${over.uuid ?? 'a1'}","", "${over.account ?? 'desk '}"\n`;

  it('reads the default template; a blank before a quote does not matter', async () => {
    const text =
      line() +
      line({ uuid: 'a2', answer: '', billsec: '0' }) +
      line({ uuid: 'a3', answer: '', billsec: '0', cause: 'USER_BUSY' }) +
      line({ uuid: 'a4', answer: '', billsec: '0', cause: 'UNALLOCATED_NUMBER' });
    expect(await take(text)).toEqual(['freeswitch', 4, 0, 0, 0]);
    const rows = await records();
    expect(rows.at(-1)).toEqual({
      at: '03-02 08:00:00',
      service: 'voice',
      type: 'answered',
      line: '555-0100',
      to: '+441632960001',
      third: 'default',
      units: '56.000000',
      price: null,
      unit: 'second',
    });
    expect(rows.map((row) => (row as { type: string }).type).sort((a, b) => (a < b ? -1 : 1))).toEqual([
      'answered',
      'busy',
      'failed',
      'no-answer',
    ]);
  });

  it('knows a record by its uuid: again, corrected, and twice in one file', async () => {
    await take(line());
    expect(await take(line() + line({ billsec: '57' }))).toEqual(['freeswitch', 0, 2, 0, 0]);
    expect(await take(line({ billsec: '57' }) + line({ billsec: '57' }))).toEqual(['freeswitch', 0, 0, 2, 0]);
    expect(await records()).toMatchObject([{ units: '57.000000' }]);
    expect(await fixture.db.one(sql`select n, units from usage_day`)).toEqual({ n: 1, units: '57.000000' });
  });

  it('tells its template of 18 columns from Asterisk’s by the hangup cause', async () => {
    const text = `"","555-0100","555-0199","default","x","a","b","bridge","c","2026-03-02 09:00:00","","2026-03-02 09:01:00","60","0","NO_ANSWER","DOCUMENTATION","u1",""\n`;
    expect(await take(text)).toEqual(['freeswitch-asterisk', 1, 0, 0, 0]);
    expect(await records()).toMatchObject([{ type: 'no-answer' }]);
  });
});

describe('CGRateS', () => {
  const id = (n: number) => `${n}`.padStart(40, '0');
  const line = (n: number, tor: string, usage: string, cost: string, run = '*default') =>
    `${id(n)},${run},127.0.0.1,test,o${n},${tor},*rated,provider.example,call,C-1,5550100,+441632960001,2026-03-02T09:00:0${n}Z,2026-03-02T09:00:05Z,${usage},${cost},,\n`;

  it('reads nanoseconds, bytes and pieces, the cost as it was rated, and leaves the raw run out', async () => {
    const text =
      line(1, '*voice', '10500000000', '0.1234') +
      line(2, '*voice', '0', '0.0000') +
      line(3, '*data', '1048576', '0.2') +
      line(4, '*sms', '1', '-1') +
      line(5, '*generic', '2.5', '1') +
      line(1, '*voice', '10500000000', '-1', '*raw');
    expect(await take(text)).toEqual(['cgrates', 5, 0, 0, 0]);
    expect(
      (await records()).map((row) =>
        Object.values(row as object).filter((_, at) => ![0, 3, 4, 5].includes(at)),
      ),
    ).toEqual([
      ['voice', 'answered', '10.500000', '0.123400', 'second'],
      ['voice', 'no-answer', '0.000000', '0.000000', 'second'],
      ['data', 'data', '1.048576', '0.200000', 'megabyte'],
      ['sms', 'sms', '1.000000', null, 'message'],
      ['other', '*generic', '2.500000', '1.000000', null],
    ]);
    expect(await fixture.db.one(sql`select sum(price) as price from usage_day`)).toEqual({
      price: '1.323400',
    });
  });

  it('is recognised by its header too, and as NDJSON, exact to the last digit', async () => {
    const object = `{"cgrid":"${id(7)}","run_id":"*default","tor":"*voice","account":"C-1","subject":"5550100","destination":"1","category":"call","setup_time":"2026-03-02 10:00:00","usage":123456789012345678,"cost":1.5e-3}\n`;
    expect(await take(object)).toEqual(['cgrates', 1, 0, 0, 0]);
    // Without a zone of its own it is the brand's, and 123456789.012345678 s are rounded once.
    expect(await records()).toMatchObject([
      { at: '03-02 09:00:00', units: '123456789.012346', price: '0.001500' },
    ]);
  });
});

describe('Cisco CUCM', () => {
  const names = [
    'cdrRecordType',
    'globalCallID_callManagerId',
    'globalCallID_callId',
    'dateTimeOrigination',
    'callingPartyNumber',
    'originalCalledPartyNumber',
    'finalCalledPartyNumber',
    'destCause_value',
    'dateTimeConnect',
    'pkid',
    'duration',
    'clientMatterCode',
    'more',
    'and more',
  ];
  const head = `${names.map((name) => `"${name}"`).join(',')}\nINTEGER,INTEGER,INTEGER,INTEGER,VARCHAR(50),VARCHAR(50),VARCHAR(50),INTEGER,INTEGER,UNIQUEIDENTIFIER,INTEGER,VARCHAR(32),VARCHAR(50),VARCHAR(50)\n`;
  const line = (id: string, connect: number, cause: number, matter = '') =>
    `1,1,77,1772442000,"4001","4002","4009",${cause},${connect},"${id}",${connect === 0 ? 0 : 65},"${matter}","",""\n`;

  it('passes over names and types, reads epoch seconds; the matter code is the cost centre of a line that has none', async () => {
    const text =
      head + line('p1', 1772442004, 16, 'M-77') + line('p2', 0, 17) + line('p3', 0, 16) + line('p4', 0, 1);
    expect(await take(text)).toEqual(['cisco-cucm', 4, 0, 0, 0]);
    const rows = await records();
    expect(rows.at(-1)).toMatchObject({
      at: '03-02 09:00:00',
      type: 'answered',
      line: '4001',
      to: '4009',
      third: 'M-77',
      units: '65.000000',
    });
    expect(rows.map((row) => (row as { type: string }).type).sort((a, b) => (a < b ? -1 : 1))).toEqual([
      'answered',
      'busy',
      'failed',
      'no-answer',
    ]);
    expect(await fixture.db.one(sql`select cost_centre from service_item`)).toEqual({ cost_centre: 'M-77' });
    await fixture.query("update service_item set cost_centre = 'Chosen'");
    await take(head + line('p5', 1772442004, 16, 'M-78'));
    expect(await fixture.db.one(sql`select cost_centre from service_item`)).toEqual({
      cost_centre: 'Chosen',
    });
  });
});

describe('Twilio', () => {
  const head = 'category,count,count_unit,usage,usage_unit,price,price_unit,start_date,end_date,as_of\n';
  const line = (category: string, usage: string, price: string, asOf: string) =>
    `${category},12,calls,${usage},minutes,${price},eur,2026-03-01,2026-03-01,${asOf}\n`;

  it('reads usage and price by category; as of later is a correction; another currency has no price and says so', async () => {
    await fixture.query("update brand set currency = 'EUR'");
    const first =
      head +
      line('calls-outbound', '34', '0.51', '2026-03-02') +
      line('totalprice', '0', '0.51', '2026-03-02');
    expect(await take(first)).toEqual(['twilio', 1, 0, 0, 0]);
    expect(await take(head + line('calls-outbound', '35', '0.525', '2026-03-05'))).toEqual([
      'twilio',
      0,
      1,
      0,
      0,
    ]);
    expect(await records()).toMatchObject([
      {
        at: '03-01 00:00:00',
        type: 'calls-outbound',
        line: 'calls-outbound',
        units: '35.000000',
        price: '0.525000',
        unit: 'minute',
      },
    ]);
    expect(await fixture.db.one(sql`select units, price from usage_day`)).toEqual({
      units: '35.000000',
      price: '0.525000',
    });
    await fixture.query("update brand set currency = 'USD'");
    const path = await fixture.file(head + line('sms', '3', '0.2', '2026-03-02'));
    const report = await fixture.run([path], { customer: fixture.customerId });
    expect(report.files[0]?.warnings).toEqual([
      "1 records are in EUR, which their customer's brand does not bill in: taken without a price",
    ]);
    expect((await records()).find((row) => (row as { line: string }).line === 'sms')).toMatchObject({
      price: null,
    });
  });

  it('names no customer, so that somebody has to', async () => {
    const report = await fixture.run([await fixture.file(head + line('sms', '3', '0.2', 'x'))]);
    expect(report.quarantine).toMatchObject([
      { line: 2, reason: expect.stringContaining('say whose it is') },
    ]);
  });
});
