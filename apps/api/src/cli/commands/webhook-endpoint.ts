import { endpointStates } from '@counterfoil/contract/operator/running/webhook-endpoints.ts';
import {
  isMessageType,
  type MessageType,
  messageTypes,
} from '@counterfoil/contract/operator/running/webhook-messages.ts';
import { listEndpoints } from '../../features/webhook-endpoints/queries.ts';
import {
  addEndpoint,
  changeEndpoint,
  deleteEndpoint,
  presentDelivery,
  presentEndpoint,
  redeliverSince,
  rotateSecret,
  sendTest,
} from '../../features/webhook-endpoints/service.ts';
import type { Runtime } from '../../runtime.ts';
import {
  checkedId,
  checkedSpan,
  needed,
  neededNumber,
  noWords,
  oneOf,
  optionalMoment,
  resellerOption,
  sinceOption,
} from '../arguments/arguments.ts';
import { type Command, type Invocation, table, UsageError } from '../command.ts';
import { commandActor } from '../record-command.ts';
import { inTransaction, withRuntime } from '../with-runtime.ts';

const HOUR_MS = 3_600_000;
const HOURS_OF_OVERLAP = 24;
const MOST_HOURS = 168;

const idOption = {
  id: {
    type: 'string',
    value: '<id>',
    check: (_name: string, text: string) => checkedId(text),
    help: 'the endpoint, as `list` shows it',
  },
} as const;
const ofOne = { ...resellerOption, ...idOption } as const;
const typeOption = {
  type: {
    type: 'string',
    value: '<type>',
    multiple: true,
    help: 'types of messages; several, or by commas; none: all',
  },
} as const;
const valueOptions = {
  url: { type: 'string', value: '<address>', help: 'where messages are posted to' },
  description: { type: 'string', value: '<text>', help: 'what it is for' },
  ...typeOption,
} as const;

const at = (invocation: Invocation) => ({
  resellerId: neededNumber(invocation, 'reseller'),
  id: needed(invocation, 'id'),
});
const act = ({ clock }: Pick<Runtime, 'clock'>) => ({ by: { actor: commandActor() }, now: clock.now() });
const deps = ({ secrets, config }: Pick<Runtime, 'secrets' | 'config'>) => ({
  secrets,
  allowsPrivate: config.webhooksAllowPrivate,
});

function typesOf(invocation: Invocation): MessageType[] {
  const given = invocation.texts('type').flatMap((text) => text.split(',').map((one) => one.trim()));
  return given.map((type) => {
    if (isMessageType(type)) return type;
    throw new UsageError(`'${type}' is no type; there are ${Object.keys(messageTypes).join(', ')}`);
  });
}

const typeLines = Object.entries(messageTypes).map(([name, words]) => `  ${name.padEnd(26)}${words}`);

const add: Command = {
  usage: '--reseller <id> --url <address> [--type <type> …] [--description <text>]',
  details: ['Its secret is printed once. Types:', ...typeLines],
  options: { ...resellerOption, ...valueOptions },
  async run(invocation) {
    noWords(invocation);
    const resellerId = neededNumber(invocation, 'reseller');
    const wanted = {
      url: needed(invocation, 'url'),
      description: invocation.text('description') ?? '',
      types: typesOf(invocation),
    };
    const made = await inTransaction(async (tx, runtime) => {
      const { row, secret } = await addEndpoint(tx, deps(runtime), resellerId, wanted, act(runtime));
      return { ...presentEndpoint(row, runtime.clock.now()), secret };
    });
    invocation.print(made, [made.id, made.secret]);
    return 0;
  },
};

const list: Command = {
  usage: '--reseller <id>',
  options: resellerOption,
  async run(invocation) {
    noWords(invocation);
    const resellerId = neededNumber(invocation, 'reseller');
    const endpoints = await withRuntime(async ({ databases, clock }) =>
      (await listEndpoints(databases.web, resellerId)).map((row) => presentEndpoint(row, clock.now())),
    );
    invocation.print(
      { endpoints },
      table(
        ['id', 'address', 'state', 'waiting', 'given up', 'problem', 'types'],
        endpoints.map((one) => [
          one.id,
          one.url,
          one.state,
          `${one.waiting}`,
          `${one.givenUp}`,
          one.stateReason ?? one.lastProblem ?? '',
          one.types.join(' ') || 'all',
        ]),
      ),
    );
    return 0;
  },
};

const set: Command = {
  usage:
    '--reseller <id> --id <id> [--url <address>] [--type <type> …] [--description <text>] [--state <state>]',
  details: [
    'What is not given stays. paused: messages are kept and wait; disabled: none are written, and those that wait are given up;',
    'enabled: what waits is sent. --all-types takes back a choice of types.',
  ],
  options: {
    ...ofOne,
    ...valueOptions,
    state: { type: 'string', value: '<state>', help: endpointStates.join(', ') },
    'all-types': { type: 'boolean', help: 'it is sent every type' },
  },
  async run(invocation) {
    noWords(invocation);
    const state = oneOf(invocation, 'state', endpointStates);
    const types = typesOf(invocation);
    const isAll = invocation.flag('all-types');
    const change = {
      url: invocation.text('url'),
      description: invocation.text('description'),
      types: types.length > 0 || isAll ? types : undefined,
      state,
    };
    const any = { ifMatch: '*', ifNoneMatch: undefined };
    const shown = await inTransaction(async (tx, runtime) =>
      presentEndpoint(
        await changeEndpoint(tx, deps(runtime), at(invocation), change, any, act(runtime)),
        runtime.clock.now(),
      ),
    );
    invocation.print(shown, [`${shown.url} is ${shown.state}.`]);
    return 0;
  },
};

const remove: Command = {
  usage: '--reseller <id> --id <id>',
  options: ofOne,
  async run(invocation) {
    noWords(invocation);
    await inTransaction((tx, runtime) => deleteEndpoint(tx, at(invocation), act(runtime)));
    invocation.print({ removed: true }, ['It is deleted, with what waited for it.']);
    return 0;
  },
};

const rotate: Command = {
  usage: '--reseller <id> --id <id> [--grace <span>]',
  details: ['The new secret is printed once. Until the grace is over messages carry both signatures.'],
  options: {
    ...ofOne,
    grace: {
      type: 'string',
      value: '<span>',
      check: checkedSpan,
      help: 'how long the old secret signs on, such as 24h or 7d (24h); 0m: it ends now',
    },
  },
  async run(invocation) {
    noWords(invocation);
    const grace = invocation.text('grace');
    const hours = grace === undefined ? HOURS_OF_OVERLAP : Math.ceil(checkedSpan('grace', grace) / HOUR_MS);
    if (hours > MOST_HOURS) throw new UsageError('--grace is 7 days at most');
    const made = await inTransaction(async (tx, runtime) => {
      const { row, secret } = await rotateSecret(tx, deps(runtime), at(invocation), hours, act(runtime));
      return { ...presentEndpoint(row, runtime.clock.now()), secret };
    });
    invocation.print(made, [made.secret]);
    return 0;
  },
};

const test: Command = {
  usage: '--reseller <id> --id <id>',
  details: ['Exit code 1: it was not taken.'],
  options: ofOne,
  async run(invocation) {
    noWords(invocation);
    const shown = await withRuntime(async (runtime) => {
      const { secrets, clock, log, databases } = runtime;
      const sending = { db: databases.web, secrets, clock, log, allowsPrivate: deps(runtime).allowsPrivate };
      return presentDelivery(await sendTest(sending, at(invocation), act(runtime)));
    });
    const isTaken = shown.state === 'delivered';
    invocation.print(shown, [
      isTaken ? `It was taken: ${shown.status}.` : `It was not taken: ${shown.problem}.`,
    ]);
    return isTaken ? 0 : 1;
  },
};

const redeliver: Command = {
  usage: '--reseller <id> --id <id> --since <when>',
  details: ['Sends what was given up since then again, in its order; a worker does it.'],
  options: { ...ofOne, ...sinceOption },
  async run(invocation) {
    noWords(invocation);
    needed(invocation, 'since');
    const since = optionalMoment(invocation, 'since') ?? new Date(0);
    const count = await inTransaction((tx, runtime) =>
      redeliverSince(tx, at(invocation), since, act(runtime)),
    );
    invocation.print({ count }, [`${count} are sent again.`]);
    return 0;
  },
};

export const actions = { add, list, set, rotate, test, redeliver, remove };
