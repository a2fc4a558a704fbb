import { gatewayDemos } from '@counterfoil/gateways/demo-registry.ts';
import type { GatewayDemo } from '@counterfoil/gateways/port/demo.ts';

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

/** What the account of a demo reseller is called in the sandbox. */
export const demoAccount = (resellerId: number): string => `demo${resellerId}`;

/** What the gateway of a reseller brings to the demo world; undefined where this program does not have it. */
export const demoOf = (gateway: string | null | undefined): GatewayDemo | undefined =>
  gateway == null ? undefined : gatewayDemos[gateway];

/** Where the sandbox is to send the demo resellers' webhooks. */
export function demoWebhooks(serverAddress: string): readonly Readonly<Record<string, string>>[] {
  return demoGateways.flatMap(({ resellerId, gateway }) => {
    const account = demoAccount(resellerId);
    const secret = demoOf(gateway)?.webhookSecret?.(account);
    if (gateway === null || secret === undefined) return [];
    return [{ gateway, url: `${serverAddress}/v1/webhooks/${gateway}/${resellerId}`, secret, account }];
  });
}
