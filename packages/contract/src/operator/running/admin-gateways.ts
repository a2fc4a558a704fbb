import * as z from 'zod/mini';
import { said } from '../parts.ts';

/** What is called about a reseller's gateway accounts: `/v1/admin/gateways`, `/v1/admin/gateway-accounts`. */

const gatewayName = z.string().check(z.regex(/^[a-z][a-z0-9-]{0,40}$/));

export const gatewayParams = z.object({ gateway: said(gatewayName, 'Its name, such as `stripe`.') });

/** A value that a setting may have. */
const settingValue = z.union([
  z.string().check(z.maxLength(4_000)),
  z.boolean(),
  z.number(),
  z.array(z.string().check(z.maxLength(4_000))).check(z.maxLength(20)),
]);
const settingName = z.string().check(z.regex(/^[A-Za-z][A-Za-z0-9]{0,60}$/));
const settingsToSet = z.record(settingName, z.nullable(settingValue));

/** One setting of a gateway, as its manifest declares it. */
export const gatewaySetting = z.object({
  name: said(z.string(), 'As it is sent.'),
  label: said(z.string(), 'As a form names it.'),
  help: said(z.nullable(z.string()), 'What to know of it.'),
  secret: said(z.boolean(), 'It is encrypted, and never told again.'),
  required: said(z.boolean(), 'Without it no payment is taken.'),
  kind: said(z.enum(['text', 'flag', 'number', 'choice', 'list']), 'What it takes; a list is of texts.'),
  values: said(z.array(z.string()), 'Of a choice; else empty.'),
  default: said(z.nullable(settingValue), 'Where it is not set; null: it is not there then.'),
});
export type GatewaySetting = z.infer<typeof gatewaySetting>;

/** A gateway that this program speaks to. */
export const gatewayKind = z
  .object({
    gateway: said(z.string(), 'Its name in addresses.'),
    name: said(z.string(), 'Its name for people.'),
    docs: said(z.string(), 'The provider’s documentation.'),
    apiVersion: said(z.string(), 'That this program speaks.'),
    methods: said(z.array(z.enum(['card', 'bank'])), 'What can be paid by.'),
    currencies: said(z.nullable(z.array(z.string())), 'ISO 4217; null: any.'),
    settings: said(z.array(gatewaySetting), 'In the order of a form.'),
  })
  .check(
    z.meta({
      examples: [
        {
          gateway: 'stripe',
          name: 'Stripe',
          docs: 'https://docs.stripe.com/api',
          apiVersion: '2026-10-28.endive',
          methods: ['card', 'bank'],
          currencies: null,
          settings: [
            {
              name: 'secretKey',
              label: 'Secret key',
              help: 'sk_… or rk_… of the account. It also selects test or live mode.',
              secret: true,
              required: true,
              kind: 'text',
              values: [],
              default: null,
            },
          ],
        },
      ],
    }),
  );
export type GatewayKind = z.infer<typeof gatewayKind>;

/** Body of `PUT /v1/admin/gateway-accounts/by-gateway/{gateway}`. */
export const gatewaySettings = z
  .strictObject({
    settings: said(
      settingsToSet,
      'By their names. What is left out stays as it is; null takes a setting away, or back to its default.',
    ),
  })
  .check(z.meta({ examples: [{ settings: { secretKey: 'sk_test_…', publishableKey: 'pk_test_…' } }] }));
export type GatewaySettings = z.output<typeof gatewaySettings>;

const exampleId = '0199d1c2-7a10-7000-8000-4b0000000001';
const exampleAccount = {
  id: exampleId,
  gateway: 'stripe',
  name: 'Stripe',
  state: 'working',
  createdAt: '2026-03-01T09:00:00.000Z',
  brands: [{ id: 4101, name: 'Northline' }],
  isVerified: false,
  verification: 'never',
};

/** A reseller's account at a gateway. */
export const gatewayAccount = z
  .object({
    id: said(z.uuid(), 'Calls about it name it.'),
    gateway: said(z.string(), 'The gateway’s name in addresses.'),
    name: said(z.string(), 'The gateway’s name for people.'),
    state: said(
      z.enum(['working', 'paused', 'misconfigured', 'outOfUse']),
      '`misconfigured`: the gateway refuses the keys, or a setting does not fit. `paused`: nothing is charged until somebody lets it. `outOfUse`: payments made through it are still found out about.',
    ),
    createdAt: said(z.string(), 'Since when there is this account.'),
    brands: said(z.array(z.object({ id: z.int(), name: z.string() })), 'Those whose customers pay by it.'),
    isVerified: said(
      z.boolean(),
      'A whole run of the cases passed at the provider, with the API version this program speaks.',
    ),
    verification: said(z.string(), 'The last whole run in a line; `never` where there was none.'),
  })
  .check(z.meta({ examples: [exampleAccount] }));
export type GatewayAccountShown = z.infer<typeof gatewayAccount>;

/** The same with its settings and what to enter at the provider. */
export const gatewayAccountDetail = z
  .extend(gatewayAccount, {
    settings: said(
      z.record(z.string(), settingValue),
      'Those that are no secrets, with the defaults of what is not set.',
    ),
    secrets: said(
      z.array(
        z.object({
          name: said(z.string(), 'Of the setting.'),
          isSet: said(z.boolean(), 'Its value is never told.'),
          setAt: said(z.nullable(z.string()), 'Null: it is not set, or was set before this was kept.'),
        }),
      ),
      'Every secret setting of the gateway.',
    ),
    keyMode: said(
      z.enum(['test', 'live', 'unknown']),
      'Test keys move no money. `unknown`: the settings do not tell.',
    ),
    elsewhere: said(
      z.nullable(z.string()),
      'Where its calls go in place of the provider’s own addresses: a sandbox or a proxy. Null: to these.',
    ),
    addresses: said(
      z.array(
        z.object({
          purpose: said(
            z.enum(['webhook', 'return', 'origin']),
            '`webhook`: where events are sent. `return`: where payers come back to from the provider’s pages. `origin`: of pages that show the provider’s fields.',
          ),
          address: said(z.string(), 'As it is to be entered.'),
        }),
      ),
      'What to enter at the provider, as it is for this installation.',
    ),
  })
  .check(
    z.meta({
      examples: [
        {
          ...exampleAccount,
          settings: { publishableKey: 'pk_test_northline', separateInputs: false },
          secrets: [
            { name: 'secretKey', isSet: true, setAt: '2026-03-01T09:00:00.000Z' },
            { name: 'webhookSecrets', isSet: false, setAt: null },
          ],
          keyMode: 'test',
          elsewhere: null,
          addresses: [
            { purpose: 'webhook', address: 'https://bills.northline.example/v1/webhooks/stripe/4100' },
          ],
        },
      ],
    }),
  );
export type GatewayAccountDetail = z.infer<typeof gatewayAccountDetail>;

/** What a gateway said of the keys. */
export const gatewayCheck = z
  .object({
    is: said(
      z.enum(['working', 'refused', 'unreachable', 'misconfigured']),
      '`refused`: the gateway does not take the keys. `misconfigured`: it was not asked, for a setting does not fit.',
    ),
    message: said(z.string(), 'In a sentence for people.'),
    rights: said(z.array(z.string()), 'What the keys may do, where the gateway says so.'),
  })
  .check(z.meta({ examples: [{ is: 'working', message: 'Stripe takes the keys.', rights: [] }] }));
export type GatewayCheck = z.infer<typeof gatewayCheck>;

/** Body of `POST /v1/admin/gateway-accounts/{id}/verification`. */
export const verificationOrder = z
  .strictObject({
    cases: said(
      z.optional(
        z.array(z.string().check(z.regex(/^[a-z0-9-]{1,80}$/))).check(z.minLength(1), z.maxLength(200)),
      ),
      'Only these; absent: all.',
    ),
    currency: said(
      z.optional(z.string().check(z.regex(/^[A-Z]{3}$/))),
      'ISO 4217; absent: that of the reseller’s first brand.',
    ),
    settings: said(
      z.optional(settingsToSet),
      'For this run only, such as test keys of an account that takes payments.',
    ),
    areTestKeys: said(
      z._default(z.boolean(), false),
      'Your word for it, where the settings of a gateway cannot tell test keys from live ones.',
    ),
  })
  .check(z.meta({ examples: [{ currency: 'NZD' }] }));
export type VerificationOrder = z.output<typeof verificationOrder>;

/** A run of the cases against one account, and how far it is. */
export const gatewayVerification = z
  .object({
    state: said(
      z.enum(['none', 'waiting', 'running', 'ended', 'broken']),
      '`none`: there was no run yet. `broken`: the process that ran it ended; what it had made at the provider may be there still.',
    ),
    askedAt: said(z.nullable(z.string()), 'When the run was asked for.'),
    askedBy: said(z.nullable(z.string()), 'By whom, as the audit trail names them.'),
    endedAt: said(z.nullable(z.string()), 'Null while it goes on.'),
    isWhole: said(z.boolean(), 'All cases, not some by name: only such a run counts.'),
    isRecorded: said(z.boolean(), 'It reached the gateway, so the account shows it.'),
    cases: said(
      z.array(
        z.object({
          case: said(z.string(), 'Its name.'),
          what: said(z.string(), 'What it shows.'),
          is: said(
            z.enum(['waiting', 'passed', 'failed', 'unreachable', 'notAvailable', 'notRun']),
            '`unreachable`: no answer, or one of trouble: run it again. `notAvailable`: this account cannot show it. `notRun`: the keys were refused or not reached.',
          ),
          ms: said(z.int(), 'How long it took.'),
          ids: said(z.array(z.string()), 'What the gateway named.'),
          detail: said(z.string(), 'Why it did not pass; else empty.'),
        }),
      ),
      'In their order.',
    ),
    notChecked: said(z.array(z.string()), 'What no run shows, a sentence each.'),
    left: said(z.array(z.string()), 'What stays at the provider, a line each.'),
  })
  .check(
    z.meta({
      examples: [
        {
          state: 'running',
          askedAt: '2026-03-01T09:00:00.000Z',
          askedBy: 'operator:ann@provider.example',
          endedAt: null,
          isWhole: true,
          isRecorded: false,
          cases: [
            { case: 'keys', what: 'the keys are good', is: 'passed', ms: 210, ids: [], detail: '' },
            { case: 'pay-once', what: 'a card pays once', is: 'waiting', ms: 0, ids: [], detail: '' },
          ],
          notChecked: [],
          left: [],
        },
      ],
    }),
  );
export type GatewayVerification = z.infer<typeof gatewayVerification>;
