import type { UsageMappingText } from '@counterfoil/contract/operator/imports/usage-import.ts';

/** The service of calls, the same for every exchange of a provider. */
export const voice: UsageMappingText['services'] = {
  voice: {
    name: 'Voice',
    serviceItemLabel: 'Line',
    serviceItem2Label: 'Called number',
    serviceItem3Label: 'Context',
    unitsLabel: 'Duration',
    recordTypeLabel: 'Call',
  },
};

/** How a call ended, whoever says it. */
export const calls = {
  answered: { code: 'answered', description: 'Call, answered' },
  noAnswer: { code: 'no-answer', description: 'Call, no answer' },
  busy: { code: 'busy', description: 'Call, busy' },
  failed: { code: 'failed', description: 'Call, failed' },
  congestion: { code: 'congestion', description: 'Call, network congested' },
  unknown: { code: 'unknown', description: 'Call, outcome unknown' },
} as const;

/** A row of a file, as far as it takes to recognise where it comes from. */
export type Fields = readonly string[];

/** 'YYYY-MM-DD HH:MM:SS' */
export const isClock = (text: string | undefined): boolean =>
  /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text?.trim() ?? '');
