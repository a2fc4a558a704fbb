import type { UsageMappingText } from '@counterfoil/contract/operator/imports/usage-import.ts';
import type { Fields } from './voice.ts';

const columns = [
  'category',
  'count',
  'count_unit',
  'usage',
  'usage_unit',
  'price',
  'price_unit',
  'start_date',
  'end_date',
  'as_of',
];

/**
 * Twilio usage records: what a category came to in a day or month. The same category and days again, as of later, is
 * a correction. They name no line, so `--customer` says whose they are; the category stands for the line.
 */
export const twilio: UsageMappingText = {
  name: 'twilio',
  title: 'Twilio, usage records',
  format: 'csv',
  csv: { header: 'names' },
  key: ['category', 'start_date', 'end_date'],
  startedAt: { column: 'start_date', form: 'iso', zone: 'UTC' },
  serviceItem: ['category'],
  services: {
    twilio: {
      name: 'Twilio',
      serviceItemLabel: 'Category',
      serviceItem2Label: 'Until',
      serviceItem3Label: 'Unit',
      unitsLabel: 'Usage',
      recordTypeLabel: 'Category',
    },
  },
  // The sum of all the others.
  leaveOut: [{ column: 'category', is: ['totalprice'] }],
  kinds: [{ service: 'twilio', recordType: { column: 'category' } }],
  serviceItem2: 'end_date',
  serviceItem3: 'usage_unit',
  units: { column: 'usage', unit: { column: 'usage_unit' } },
  price: { column: 'price', currencyColumn: 'price_unit' },
};

export const looksLikeTwilio = (fields: Fields): boolean => columns.every((name) => fields.includes(name));
