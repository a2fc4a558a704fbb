import type { UsageMappingText } from '@counterfoil/contract/operator/imports/usage-import.ts';
import { asteriskColumns, asteriskLayout } from './asterisk.ts';
import { calls, type Fields, isClock, voice } from './voice.ts';

/** Columns of mod_cdr_csv's template 'default'. */
const defaultColumns = [
  'caller_id_name',
  'caller_id_number',
  'destination_number',
  'context',
  'start_stamp',
  'answer_stamp',
  'end_stamp',
  'duration',
  'billsec',
  'hangup_cause',
  'uuid',
  'bleg_uuid',
  'accountcode',
];

/** Hangup causes are those of Q.850; what is not named here failed. An answered call ends with any cause. */
const kinds = (answer: string, cause: string): UsageMappingText['kinds'] => [
  { when: [{ column: answer, empty: false }], service: 'voice', recordType: calls.answered },
  { when: [{ column: cause, is: ['USER_BUSY'] }], service: 'voice', recordType: calls.busy },
  {
    when: [
      {
        column: cause,
        is: [
          'NORMAL_CLEARING',
          'NO_ANSWER',
          'NO_USER_RESPONSE',
          'ORIGINATOR_CANCEL',
          'LOSE_RACE',
          'PICKED_OFF',
        ],
      },
    ],
    service: 'voice',
    recordType: calls.noAnswer,
  },
  {
    when: [{ column: cause, is: ['NORMAL_CIRCUIT_CONGESTION', 'SWITCH_CONGESTION'] }],
    service: 'voice',
    recordType: calls.congestion,
  },
  { service: 'voice', recordType: calls.failed },
];

/** FreeSWITCH, mod_cdr_csv: wall-clock times; a record is known by its `uuid`. */
export const freeswitch: UsageMappingText = {
  name: 'freeswitch',
  title: "FreeSWITCH, mod_cdr_csv, template 'default'",
  format: 'csv',
  csv: { header: 'optional', columns: defaultColumns, trim: true },
  key: ['uuid'],
  startedAt: { column: 'start_stamp', form: 'local' },
  accountCodes: ['accountcode'],
  lines: ['caller_id_number', 'destination_number'],
  serviceItem: ['caller_id_number', 'accountcode', 'destination_number'],
  services: voice,
  kinds: kinds('answer_stamp', 'hangup_cause'),
  serviceItem2: 'destination_number',
  serviceItem3: 'context',
  units: { column: 'billsec', form: 'seconds' },
  checks: [
    { column: 'answer_stamp', form: 'local', mayBeEmpty: true },
    { column: 'end_stamp', form: 'local', mayBeEmpty: true },
    { column: 'duration', form: 'seconds' },
  ],
};

/** The same with template 'asterisk': Asterisk's columns, with a hangup cause where Asterisk writes a disposition. */
export const freeswitchAsterisk: UsageMappingText = {
  ...asteriskLayout,
  name: 'freeswitch-asterisk',
  title: "FreeSWITCH, mod_cdr_csv, template 'asterisk'",
  csv: { header: 'none', columns: asteriskColumns, trim: true },
  key: ['uniqueid'],
  source: 'freeswitch',
  kinds: kinds('answer', 'disposition'),
};

const isCause = (text: string | undefined): boolean => /^[A-Z0-9]+(_[A-Z0-9]+)+$/.test(text?.trim() ?? '');

export const looksLikeFreeswitch = (fields: Fields): boolean =>
  fields.length === defaultColumns.length &&
  ((isClock(fields[4]) && isClock(fields[6])) || fields[9]?.trim() === 'hangup_cause');

export const looksLikeFreeswitchAsterisk = (fields: Fields): boolean =>
  fields.length === asteriskColumns.length && isClock(fields[9]) && isCause(fields[14]);
