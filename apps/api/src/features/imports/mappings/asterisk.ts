import type { UsageMappingText } from '@counterfoil/contract/operator/imports/usage-import.ts';
import { calls, type Fields, isClock, voice } from './voice.ts';

/** Columns of Asterisk's `Master.csv`, which has no header line (Asterisk manual, cdr_csv). */
export const asteriskColumns = [
  'accountcode',
  'src',
  'dst',
  'dcontext',
  'clid',
  'channel',
  'dstchannel',
  'lastapp',
  'lastdata',
  'start',
  'answer',
  'end',
  'duration',
  'billsec',
  'disposition',
  'amaflags',
  'uniqueid',
  'userfield',
];

const dispositions = {
  ANSWERED: calls.answered,
  'NO ANSWER': calls.noAnswer,
  BUSY: calls.busy,
  FAILED: calls.failed,
  CONGESTION: calls.congestion,
  UNKNOWN: calls.unknown,
};

/** What both exchanges that write these 18 columns share. Several legs of a call have one `uniqueid`: it is no key. */
export const asteriskLayout = {
  format: 'csv',
  startedAt: { column: 'start', form: 'local' },
  accountCodes: ['accountcode'],
  lines: ['src', 'dst'],
  serviceItem: ['src', 'accountcode', 'dst'],
  services: voice,
  serviceItem2: 'dst',
  serviceItem3: 'dcontext',
  units: { column: 'billsec', form: 'seconds' },
  checks: [
    { column: 'answer', form: 'local', mayBeEmpty: true },
    { column: 'end', form: 'local', mayBeEmpty: true },
    { column: 'duration', form: 'seconds' },
  ],
} as const satisfies Partial<UsageMappingText>;

const hint = "switch on 'loguniqueid' and 'loguserfield' in cdr.conf";

/** Asterisk, `Master.csv`: wall-clock times, units are billsec seconds, no price. */
export const asterisk: UsageMappingText = {
  ...asteriskLayout,
  name: 'asterisk',
  title: 'Asterisk, cdr_csv (Master.csv)',
  csv: { header: 'optional', columns: asteriskColumns, hints: { '16': hint, '17': hint } },
  kinds: Object.entries(dispositions).map(([text, recordType]) => ({
    when: [{ column: 'disposition', is: [text] }],
    service: 'voice',
    recordType,
  })),
};

/** Eighteen columns, or a record that misses them by little and is otherwise one: enough to say what it should be. */
export function looksLikeAsterisk(fields: Fields): boolean {
  if (fields.length === asteriskColumns.length) return true;
  return (fields.length === 16 || fields.length === 17) && isClock(fields[9]) && isClock(fields[11]);
}
