/** Opens gateways in front of their sandboxes: for the list of cases, and for the tests of one gateway. */
import { SandboxHarness } from '@counterfoil/sandbox/test-support.ts';
import { nowhere } from '@counterfoil/testing/ports.ts';
import { afterAll, afterEach, beforeAll } from 'vitest';
import type { GatewayFetch } from '../kit/http.ts';
import { resolveAddresses } from '../port/addresses.ts';
import type { GatewayAdapter, GatewayManifest, GatewayModule } from '../port/define-gateway.ts';
import type {
  Action,
  Charge,
  Gateway,
  GatewayEvent,
  GatewayState,
  LookupStrategy,
  OneTimeInput,
  Outcome,
  SetupCompletion,
  SetupRequest,
  SetupResult,
} from '../port/gateway.ts';
import { newGatewayRef } from '../port/gateway-ref.ts';
import type { CasesReport } from './case.ts';
import type { CasesData, TestAccount } from './data.ts';
import { casesOf } from './list.ts';
import { type CasesOptions, runCases } from './run.ts';
import { minorsOf, openSandbox, type SandboxControl } from './sandbox-control.ts';

export interface CasesFixture {
  readonly control: SandboxControl;
  /** Runs cases in the sandbox: with its controls, or as at the provider. */
  run(where: 'sandbox' | 'provider', over?: Partial<CasesOptions>): Promise<CasesReport>;
}

/** A sandbox for the cases of a gateway. Its caller closes {@link CasesFixture.control}. */
export async function openCases(module: GatewayModule, data: CasesData): Promise<CasesFixture> {
  const { manifest } = module;
  const { currencies } = manifest.capabilities;
  const control = await openSandbox(manifest.id, data.sandbox, await nowhere());
  return {
    control,
    run: (where, over = {}) =>
      runCases({
        cases: casesOf(manifest, data),
        data,
        module,
        currency: currencies === 'any' ? 'AUD' : (currencies[0] ?? 'AUD'),
        resellerId: '4100',
        returnTo: 'https://portal.example/',
        ...(where === 'sandbox' ? { control } : {}),
        ...over,
        context: {
          config: data.sandbox.settings,
          addresses: addressesAt(manifest, control.url),
          clock: control,
          log: { debug: () => undefined, warn: () => undefined },
          pause: () => Promise.resolve(),
          timeoutMs: 5_000,
          ...over.context,
        },
      }),
  };
}

const addressesAt = (manifest: GatewayManifest, url: string) =>
  resolveAddresses(manifest, { [`GATEWAY_URL_${manifest.id.toUpperCase().replaceAll('-', '_')}`]: url });

/** A request of the adapter. */
export interface Sent {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** As bytes are: one character each. */
  readonly body: string;
}

export interface OpenOptions {
  /** Milliseconds (5,000). */
  readonly timeoutMs?: number;
  /** Where it is instead of the sandbox. */
  readonly url?: string;
  /** What answers instead of the sandbox, by method and end of the path without its query: `POST /payments`; undefined lets a request through. */
  readonly instead?: Readonly<Record<string, () => Response | undefined>>;
  readonly fetch?: GatewayFetch;
}

/** An adapter in front of its sandbox. */
export interface Opened {
  readonly gateway: Gateway;
  readonly account: TestAccount;
  readonly sent: Sent[];
  /** Bodies alone of what was sent so far. */
  readonly bodies: readonly string[];
  readonly logged: string[];
  /** Waits between two tries, milliseconds; none is waited for. */
  readonly pauses: number[];
  /** Requests by method and end of the path without its query: `POST /payments`. */
  to(call: string): readonly Sent[];
  /** Pays; gives the outcome, and what was kept last before an answer came. */
  pay(charge: Charge): Promise<{ outcome: Outcome; kept: GatewayState | undefined }>;
  /** @throws {Error} when it is anything but paid */
  paid(charge: Charge): Promise<Extract<Outcome, { is: 'succeeded' }>>;
  /** Saves a method of {@link testPerson} in one go. @throws {Error} where it does not begin */
  setUp(input: SetUpInput, over?: SetUpOver): Promise<SetUp>;
}

type SetUpInput = OneTimeInput | ((action: Action) => Promise<OneTimeInput>);
type SetUpOver = Partial<SetupRequest & Pick<SetupCompletion, 'owner' | 'consent'>>;
export interface SetUp {
  readonly payer: GatewayState;
  readonly step: GatewayState;
  readonly done: SetupResult;
}

export const testPerson = {
  customerId: 'C1',
  resellerId: '3001',
  name: 'Ada Example',
  email: 'ada@example.test',
};
const returnTo = 'https://portal.example/';

/** What the tests of one gateway need: its sandbox, its clock, and its adapter with whatever a test has unlike the others. */
export interface AdapterBench {
  readonly harness: SandboxHarness;
  /** By the clocks of both sides. */
  now(): Date;
  advance(milliseconds: number): Promise<void>;
  /** Minor units taken under a reference and not undone, one entry a charge; read from the sandbox's journal. */
  taken(ref: string): Promise<readonly bigint[]>;
  /** The same for what was refunded. */
  refunded(ref: string): Promise<readonly bigint[]>;
  open(over?: Readonly<Record<string, unknown>>, options?: OpenOptions): Opened;
  strategy(by: LookupStrategy['by']): LookupStrategy;
}

/** Starts the sandbox before the tests of the file that calls it, and ends it after them; no test meets another's faults. */
export function benchOf(
  { manifest, createGateway }: Pick<GatewayModule, 'manifest'> & GatewayAdapter,
  { sandbox: { settings } }: CasesData,
): AdapterBench {
  const harness = new SandboxHarness(manifest.id);
  let aheadMs = 0;
  beforeAll(async () => {
    await harness.start();
    // Whether the connection ends or the time is over: nothing was answered.
    await harness.control('POST', 'settings', { hangMs: 100 });
  });
  afterEach(async () => void (await harness.control('DELETE', 'faults')));
  afterAll(() => harness.end());

  const now = () => new Date(Date.now() + aheadMs);
  const journal = async (kind: 'charges' | 'refunds', ref: string) =>
    minorsOf((await harness.control('GET', `charges?reference=${ref}`))[kind]);
  return {
    harness,
    now,
    async advance(milliseconds) {
      aheadMs += milliseconds;
      await harness.advance(milliseconds);
    },
    taken: (ref) => journal('charges', ref),
    refunded: (ref) => journal('refunds', ref),
    open(
      over = {},
      { timeoutMs = 5_000, url = harness.sandbox.url, instead = {}, fetch: through = fetch } = {},
    ) {
      const sent: Sent[] = [];
      const logged: string[] = [];
      const pauses: number[] = [];
      const log = (fields: object, message: string) => void logged.push(JSON.stringify({ fields, message }));
      const account = { settings: { ...settings, ...over }, addresses: addressesAt(manifest, url), fetch };
      const gateway = createGateway({
        config: account.settings,
        addresses: account.addresses,
        clock: { now },
        log: { debug: log, warn: log },
        pause: async (milliseconds) => void pauses.push(milliseconds),
        timeoutMs,
        async fetch(input, init) {
          const { pathname, search } = new URL(String(input));
          const body = init?.body;
          const request: Sent = {
            method: init?.method ?? 'GET',
            path: pathname + search,
            body: body instanceof Uint8Array ? Buffer.from(body).toString('latin1') : String(body ?? ''),
          };
          sent.push(request);
          const [, answer] = Object.entries(instead).find(([call]) => isTo(request, call)) ?? [];
          return answer?.() ?? through(input, init);
        },
      });
      const pay: Opened['pay'] = async (charge) => {
        let kept: GatewayState | undefined;
        const outcome = await gateway.charge(charge, async (state) => {
          kept = state;
        });
        return { outcome, kept };
      };
      return {
        gateway,
        account,
        sent,
        get bodies() {
          return sent.map(({ body }) => body);
        },
        logged,
        pauses,
        to: (call) => sent.filter((request) => isTo(request, call)),
        pay,
        async paid(charge) {
          const { outcome } = await pay(charge);
          if (outcome.is !== 'succeeded') throw new Error(JSON.stringify(outcome));
          return outcome;
        },
        setUp: (input, over) => setUp(gateway, input, over),
      };
    },
    strategy(by) {
      const found = manifest.capabilities.lookup.find((one) => one.by === by);
      if (found === undefined) throw new Error(`no strategy ${by}`);
      return found;
    },
  };
}

function isTo({ method, path }: Sent, call: string): boolean {
  const [wanted, end = ''] = call.split(' ');
  const [name = ''] = path.split('?');
  return method === wanted && name.endsWith(end);
}

async function setUp(gateway: Gateway, input: SetUpInput, over: SetUpOver = {}): Promise<SetUp> {
  const { owner, consent, ...asked } = over;
  const ref = asked.ref ?? newGatewayRef();
  const begun = await gateway.beginSetup?.({
    ref,
    payer: undefined,
    person: testPerson,
    kind: 'card',
    returnTo,
    ...asked,
  });
  if (begun?.payer === undefined || begun.result.is !== 'continue')
    throw new Error(JSON.stringify(begun?.result));
  const { payer, result } = begun;
  const done = await gateway.completeSetup?.({
    ref,
    payer,
    step: result.state,
    input: typeof input === 'function' ? await input(result.action) : input,
    returnTo,
    ...(owner === undefined ? {} : { owner }),
    ...(consent === undefined ? {} : { consent }),
  });
  if (done === undefined) throw new Error('it cannot complete a setup');
  return { payer, step: result.state, done };
}

/** All events from a cursor on. */
export const polled = (gateway: Gateway, cursor?: string): Promise<(GatewayEvent & { cursor: string })[]> =>
  Array.fromAsync(gateway.pollEvents?.(cursor) ?? []);
