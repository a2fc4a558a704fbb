import { describe, expect, it } from 'vitest';
import { sampleCall, sampleUbl } from '../invoices/sample-documents.ts';
import { readyMapping } from '../mappings/ready.ts';
import { detectFormat } from '../text/detect.ts';
import type { RejectedLine, UsageRow } from './row.ts';
import { readUsage } from './rows.ts';

const asterisk = readyMapping('asterisk') ?? fail();

function fail(): never {
  throw new Error('there is no such mapping');
}

async function* pieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(content: string | Uint8Array, size = 100) {
  const records: UsageRow[] = [];
  const rejected: RejectedLine[] = [];
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  for await (const batch of readUsage(pieces(bytes, size), asterisk)) {
    records.push(...batch.records);
    rejected.push(...batch.rejected);
  }
  return { records, rejected };
}

describe('rows of an Asterisk exchange', () => {
  it('reads a call', async () => {
    const { records, rejected } = await read(sampleCall({ accountCode: 'ACME', billsec: '58' }));
    expect(rejected).toEqual([]);
    expect(records).toMatchObject([
      {
        line: 1,
        ms: null,
        wallMs: Date.UTC(2026, 2, 2, 9),
        units: '58',
        price: null,
        lines: ['555-0100', '555-0199'],
        accountCodes: ['ACME'],
        itemName: '555-0100',
        serviceItem2: '555-0199',
        serviceItem3: 'outbound',
        service: 'voice',
        typeCode: 'answered',
      },
    ]);
  });

  it('takes calls nobody answered', async () => {
    const { records } = await read(sampleCall({ answer: '', billsec: '0', disposition: 'NO ANSWER' }));
    expect(records).toMatchObject([{ units: '0', typeCode: 'no-answer' }]);
  });

  it('hashes what a row says, not how it is quoted [decisions.5.cdr-identity]', async () => {
    const quoted = sampleCall();
    const bare = quoted.replace('"outbound"', 'outbound').replace('"Dial"', 'Dial');
    const { records } = await read(quoted + bare + sampleCall({ uniqueId: 'other' }));
    const [a, b, c] = records.map((record) => record.key);
    expect(a).toBe(b);
    expect(c).not.toBe(a);
  });

  it.each([
    [
      sampleCall({ start: '2026-02-30 09:00:00' }),
      /column 10 \(start\): '2026-02-30 09:00:00' is not a date/,
    ],
    [sampleCall({ start: '' }), /column 10 \(start\)/],
    [sampleCall({ billsec: '-1' }), /column 14 \(billsec\): '-1' is not a number of seconds/],
    [sampleCall({ billsec: '1.5' }), /billsec/],
    [sampleCall({ disposition: 'MAYBE' }), /disposition/],
    [sampleCall({ source: 'x'.repeat(300) }), /column 2 \(src\): longer than 255/],
    [sampleCall({ source: '55\u00005' }), /NUL/],
    [`${sampleCall().trim()},"extra"\n`, /19 columns instead of 18/],
    [sampleCall().replace(/,"1772442000\.1",""/, ''), /16 columns instead of 18; switch on 'loguniqueid'/],
    ['"a","b\n', /cut off/],
  ])('rejects one line and keeps its neighbours: %j', async (bad, reason) => {
    const { records, rejected } = await read(sampleCall() + bad + (bad.endsWith('"b\n') ? '' : sampleCall()));
    expect(rejected).toHaveLength(1);
    expect(rejected[0]).toMatchObject({ line: 2, reason: expect.stringMatching(reason) });
    expect(records.length).toBeGreaterThan(0);
  });

  it('rejects the lines of another encoding and takes the rest', async () => {
    const latin = Buffer.from(sampleCall({ destination: 'Jos\u00e9' }), 'latin1');
    const { records, rejected } = await read(
      Buffer.concat([Buffer.from(sampleCall()), latin, Buffer.from(sampleCall())]),
      7,
    );
    expect(records).toHaveLength(2);
    expect(rejected).toMatchObject([{ line: 2, reason: 'column 3 (dst): the bytes are not valid UTF-8' }]);
  });

  it('passes over a byte order mark and a header line', async () => {
    const header =
      'accountcode,src,dst,dcontext,clid,channel,dstchannel,lastapp,lastdata,start,answer,end,duration,billsec,disposition,amaflags,uniqueid,userfield\n';
    expect((await read(`\ufeff${header}${sampleCall()}`)).records).toHaveLength(1);
    expect((await read(`\ufeff${sampleCall()}`)).rejected).toEqual([]);
  });
});

describe('detectFormat', () => {
  const formatOf = async (content: string | Uint8Array, isWhole = true) => {
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
    const found = await detectFormat(bytes, isWhole);
    return found.format === 'unknown'
      ? found.reason
      : found.format === 'usage'
        ? found.mapping.name
        : found.format;
  };

  it('goes by content', async () => {
    expect(await formatOf(sampleUbl())).toBe('ubl');
    expect(await formatOf(`\ufeff ${sampleUbl()}`)).toBe('ubl');
    expect(await formatOf(Buffer.from(`\ufeff${sampleUbl()}`, 'utf16le'))).toBe('ubl');
    expect(await formatOf('<!-- made by --><r:CrossIndustryInvoice xmlns:r=""/>')).toBe('cii');
    expect(await formatOf('%PDF-1.7 …')).toBe('facturx');
    expect(await formatOf(sampleCall())).toBe('asterisk');
    expect(await formatOf(Buffer.from(`\ufeff${sampleCall()}`, 'utf16le'))).toBe('asterisk');
    expect(await formatOf(`broken"line\n${sampleCall()}`)).toBe('asterisk');
    expect(await formatOf(sampleCall().repeat(3).slice(0, -30), false)).toBe('asterisk');
  });

  it.each([
    ['', /empty/],
    ['PK\u0003\u0004', /archive/],
    ['a,b,c\n1,2,3\n', /line 1 has 3 columns\); say which mapping it has/],
    ['just words', /neither an e-invoice \(UBL, CII, Factur-X\) nor call records/],
    ['\u0000\u0001\u0002', /binary/],
    [Buffer.from(sampleCall(), 'utf16le'), /text in UTF-16 without its mark/],
  ])('says what %j is instead', async (content, reason) => {
    expect(await formatOf(content)).toMatch(reason);
  });
});
