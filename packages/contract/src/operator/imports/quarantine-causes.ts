/** Why an import sets something aside, as programs read it. */
export const quarantineCauses = [
  'owner',
  'buyer',
  'agreement',
  'customer',
  'reference',
  'month',
  'mapping',
  'line',
  'document',
  'differs',
  'busy',
  'file',
] as const;
