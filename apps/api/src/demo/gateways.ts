/** Keys of the demo resellers' accounts at the sandbox. They open nothing anywhere else. */
export interface DemoGateway {
  readonly resellerId: number;
  /** Folder name of the gateway; null: the reseller has none. */
  readonly gateway: string | null;
}

export const demoGateways: readonly DemoGateway[] = [
  { resellerId: 2204, gateway: 'stripe' },
  { resellerId: 8266, gateway: 'stripe' },
  { resellerId: 3002, gateway: 'authorize-net' },
  { resellerId: 3004, gateway: 'ippay' },
  { resellerId: 3005, gateway: 'moneris' },
  { resellerId: 3006, gateway: 'pinch' },
  { resellerId: 3008, gateway: 'nexio' },
  { resellerId: 3010, gateway: 'bpoint' },
  { resellerId: 3012, gateway: 'gocardless' },
  { resellerId: 3000, gateway: null },
];

const account = (resellerId: number) => `demo${resellerId}`;

export const demoStripeKeys = (resellerId: number) => ({
  secretKey: `sk_test_${account(resellerId)}`,
  publishableKey: `pk_test_${account(resellerId)}`,
  webhookSecrets: [`whsec_${account(resellerId)}`],
});

/** Where the sandbox is to send the demo resellers' webhooks. */
export function demoWebhooks(serverAddress: string): readonly Readonly<Record<string, string>>[] {
  return demoGateways
    .filter((one) => one.gateway === 'stripe')
    .map((one) => ({
      gateway: 'stripe',
      url: `${serverAddress}/v1/webhooks/stripe/${one.resellerId}`,
      secret: `whsec_${account(one.resellerId)}`,
      account: account(one.resellerId),
    }));
}
