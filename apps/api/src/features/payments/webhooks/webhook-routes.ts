import { gatewayHookParams } from '@counterfoil/contract/webhooks.ts';
import type { WebhookReading } from '@counterfoil/gateways/port/gateway.ts';
import { AppError } from '../../../app-error.ts';
import { counts } from '../../../counts.ts';
import type { App } from '../../../http/app-type.ts';
import type { GatewayAccount } from '../accounts.ts';
import type { EngineDeps } from '../attempts/engine.ts';
import type { EventFollower } from './follow-up.ts';
import { receiveEvents } from './inbox.ts';

const MAX_HOOK_BYTES = 512 * 1024;

/**
 * `POST /v1/webhooks/{gateway}/{resellerId}`. The signature is verified over the raw bytes before anything is parsed. All
 * events are written to the inbox and answered; each counts once, and is followed up by itself: what it says is never
 * believed, the gateway is asked.
 */
export function webhookRoutes(
  app: App,
  deps: Pick<EngineDeps, 'db' | 'clock' | 'secrets' | 'accounts'>,
  follower: Pick<EventFollower, 'begin'>,
): void {
  void app.register((scoped, _options, ready) => {
    scoped.removeAllContentTypeParsers();
    scoped.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: MAX_HOOK_BYTES },
      (_request, body, done) => {
        done(null, body);
      },
    );
    scoped.post(
      '/v1/webhooks/:gateway/:resellerId',
      {
        config: { access: 'public', fromServers: true },
        schema: {
          tags: ['webhooks'],
          summary:
            'Events from a payment gateway, with the body and signature it sends; each event counts once',
          params: gatewayHookParams,
        },
      },
      async (request, reply) => {
        const { gateway, resellerId } = request.params as { gateway: string; resellerId: number };
        const raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
        const accounts = await deps.accounts.forHook(gateway, resellerId);
        const readings = readHook(accounts, raw, new Headers(headersOf(request.headers)), deps.clock.now());
        const received = readings.flatMap(({ account, reading }) =>
          reading.is === 'accepted' ? [{ account, events: reading.events, trust: reading.trust }] : [],
        );
        if (received.length === 0) {
          counts.deliveries.add('refused');
          throw new AppError('webhook.refused', refusalOf(readings));
        }
        const due = await receiveEvents(deps, received).catch((error: unknown) => {
          counts.deliveries.add('failed');
          throw error;
        });
        counts.deliveries.add('taken');
        follower.begin(due);
        return reply.status(200).send({ received: true });
      },
    );
    ready();
  });
}

function headersOf(headers: Readonly<Record<string, string | string[] | undefined>>): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value] as [string, string]],
  );
}

interface HookReading {
  readonly account: GatewayAccount;
  readonly reading: WebhookReading;
}

/**
 * As each account reads it. The secrets of two fit when a reseller went away from a gateway and came back: an event may be
 * about a payment of either.
 */
const readHook = (
  accounts: readonly GatewayAccount[],
  raw: Uint8Array,
  headers: Headers,
  now: Date,
): HookReading[] =>
  accounts.flatMap((account) => {
    const reading = account.gateway.parseWebhook?.(raw, headers, now);
    return reading === undefined ? [] : [{ account, reading }];
  });

/** The status that the gateway expects; where no account of it is known, the catalogue's. */
function refusalOf(readings: readonly HookReading[]): { status?: number } {
  const [first] = readings;
  return first?.reading.is === 'refused' ? { status: first.reading.status } : {};
}
