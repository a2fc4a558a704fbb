import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type MessageType,
  messageData,
  messageExamples,
  messageTypes,
  objectOf,
} from '@counterfoil/contract/operator/running/webhook-messages.ts';
import { expect, it } from 'vitest';
import { exampleMessage } from './webhooks-out.ts';

const page = readFileSync(join(import.meta.dirname, '../../../../../docs/webhooks-out.md'), 'utf8');
const types = Object.keys(messageTypes) as MessageType[];

it('the page of webhooks names each type as the contract does, and its example is one', () => {
  const rows = [...page.matchAll(/^\| `([a-z_.]+)` \| (.+) \|$/gm)].map(([, type, words]) => [type, words]);
  expect(rows).toEqual(Object.entries(messageTypes));
  const [, example = ''] = /<!-- example: body -->\n```json\n(.+?)```/s.exec(page) ?? [];
  expect(JSON.parse(example)).toEqual(exampleMessage('invoice.paid'));
});

it.each(types)('the example of %s is what the contract says', (type) => {
  const kind = objectOf(type);
  expect(messageData[kind].parse(messageExamples[kind])).toEqual(messageExamples[kind]);
});
