/** The resellers, with their settings as the provider's commands take them. */
export const demoResellers: readonly {
  readonly id: number;
  readonly name: string;
  readonly settings: readonly string[];
}[] = [
  {
    id: 2204,
    name: 'Halyard Telecom',
    settings: [
      'dataUsageChart=true',
      'dataUsageRecordTypes=mobile-data,roaming-data',
      'allowResellerCharge=true',
      'confirmationMessageForCharging=Halyard Telecom will charge your default payment method on the due date of each invoice.',
    ],
  },
  { id: 8266, name: 'Split Rock Communications', settings: ['separateCardInputs=true'] },
  {
    id: 3002,
    name: 'Meridian Voice & Data',
    settings: ['allowResellerCharge=true', 'requireCustomerPermissionForCharging=false'],
  },
  { id: 3004, name: 'Ironwood Networks', settings: ['hidePaymentTypesForCustomerUsers=true'] },
  { id: 3005, name: 'Moraine Wireless', settings: ['allowResellerCharge=true'] },
  { id: 3006, name: 'Saltbush Mobile', settings: [] },
  { id: 3008, name: 'Quayside Carriers', settings: ['allowResellerCharge=true'] },
  { id: 3010, name: 'Bluegum Business Telco', settings: [] },
  { id: 3012, name: 'Thistle & Loom Telecom', settings: [] },
  { id: 3000, name: 'Palmyra Connect', settings: [] },
];
