import type { UsageMappingText } from '@counterfoil/contract/operator/imports/usage-import.ts';
import { calls, type Fields } from './voice.ts';

/**
 * Cisco Unified Communications Manager, call detail records: line 1 names the columns, line 2 their types; times are
 * epoch seconds; `pkid` names a record for ever. The client matter code is a cost centre: it stands with each call,
 * and becomes that of a line that has none.
 */
export const ciscoCucm: UsageMappingText = {
  name: 'cisco-cucm',
  title: 'Cisco Unified Communications Manager, CDR files',
  format: 'csv',
  csv: { header: 'names', skipLines: 1 },
  key: ['pkid'],
  // Type 1 is a call; anything else in these files is about its quality.
  leaveOut: [{ column: 'cdrRecordType', is: ['2'] }],
  startedAt: { column: 'dateTimeOrigination', form: 'epoch' },
  accountCodes: [],
  lines: ['callingPartyNumber', 'finalCalledPartyNumber', 'originalCalledPartyNumber'],
  serviceItem: ['callingPartyNumber', 'finalCalledPartyNumber', 'originalCalledPartyNumber'],
  services: {
    voice: {
      name: 'Voice',
      serviceItemLabel: 'Line',
      serviceItem2Label: 'Called number',
      serviceItem3Label: 'Client matter code',
      unitsLabel: 'Duration',
      recordTypeLabel: 'Call',
    },
  },
  kinds: [
    {
      when: [
        { column: 'dateTimeConnect', is: ['0', ''] },
        { column: 'destCause_value', is: ['17'] },
      ],
      service: 'voice',
      recordType: calls.busy,
    },
    {
      when: [
        { column: 'dateTimeConnect', is: ['0', ''] },
        { column: 'destCause_value', is: ['0', '16', '18', '19'] },
      ],
      service: 'voice',
      recordType: calls.noAnswer,
    },
    {
      when: [
        { column: 'dateTimeConnect', is: ['0', ''] },
        { column: 'destCause_value', is: ['34', '42'] },
      ],
      service: 'voice',
      recordType: calls.congestion,
    },
    { when: [{ column: 'dateTimeConnect', is: ['0', ''] }], service: 'voice', recordType: calls.failed },
    { service: 'voice', recordType: calls.answered },
  ],
  serviceItem2: 'finalCalledPartyNumber',
  serviceItem3: 'clientMatterCode',
  units: { column: 'duration', form: 'seconds' },
  costCentre: 'clientMatterCode',
};

export const looksLikeCiscoCucm = (fields: Fields): boolean =>
  fields[0] === 'cdrRecordType' && fields.includes('globalCallID_callId') && fields.includes('pkid');
