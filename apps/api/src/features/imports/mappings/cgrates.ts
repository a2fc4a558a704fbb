import type { UsageMappingText } from '@counterfoil/contract/operator/imports/usage-import.ts';
import { calls, type Fields } from './voice.ts';

const columns = [
  'cgrid',
  'run_id',
  'origin_host',
  'source',
  'origin_id',
  'tor',
  'request_type',
  'tenant',
  'category',
  'account',
  'subject',
  'destination',
  'setup_time',
  'answer_time',
  'usage',
  'cost',
  'cost_details',
  'extra_fields',
];

const labels = { serviceItemLabel: 'Line', serviceItem2Label: 'Destination', serviceItem3Label: 'Category' };

const perNano = { scale: '1e-9', unit: 'second' } as const;

/**
 * CGRateS, rated records: usage in nanoseconds (calls), bytes (data) or pieces (messages), cost as it was rated. A
 * record is known by (cgrid, run_id). The unrated run `*raw` says nothing that another run does not.
 */
export const cgrates: UsageMappingText = {
  name: 'cgrates',
  title: 'CGRateS, records of the table cdrs',
  format: 'csv',
  csv: { header: 'optional', columns },
  key: ['cgrid', 'run_id'],
  leaveOut: [{ column: 'run_id', is: ['*raw'] }],
  startedAt: { column: 'setup_time', form: 'iso' },
  accountCodes: ['account'],
  lines: ['account', 'subject', 'destination'],
  serviceItem: ['subject', 'account', 'destination'],
  services: {
    voice: { name: 'Voice', ...labels, unitsLabel: 'Duration', recordTypeLabel: 'Call' },
    sms: { name: 'SMS', ...labels, unitsLabel: 'Messages' },
    data: { name: 'Data', ...labels, unitsLabel: 'MB' },
    other: { name: 'Other usage', ...labels, unitsLabel: 'Units' },
  },
  kinds: [
    {
      when: [
        { column: 'tor', is: ['*voice'] },
        { column: 'usage', is: ['', '0'] },
      ],
      service: 'voice',
      recordType: calls.noAnswer,
      ...perNano,
    },
    {
      when: [{ column: 'tor', is: ['*voice'] }],
      service: 'voice',
      recordType: calls.answered,
      ...perNano,
    },
    {
      when: [{ column: 'tor', is: ['*sms', '*mms'] }],
      service: 'sms',
      recordType: { code: 'sms', description: 'Message' },
      unit: 'message',
    },
    {
      when: [{ column: 'tor', is: ['*data'] }],
      service: 'data',
      recordType: { code: 'data', description: 'Data' },
      scale: '1e-6',
      unit: 'megabyte',
    },
    { service: 'other', recordType: { column: 'tor' } },
  ],
  serviceItem2: 'destination',
  serviceItem3: 'category',
  units: { column: 'usage' },
  // -1: nobody has rated it.
  price: { column: 'cost', none: ['-1', '-1.0', '-1.0000'] },
};

export const looksLikeCgrates = (fields: Fields): boolean =>
  fields.includes('cgrid') ||
  (fields.length === columns.length &&
    /^[0-9a-f]{40}$/.test(fields[0] ?? '') &&
    (fields[5]?.startsWith('*') ?? false));
