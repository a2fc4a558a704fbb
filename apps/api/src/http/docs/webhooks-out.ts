import {
  MESSAGE_VERSION,
  type MessageObject,
  type MessageType,
  messageExamples,
  messageTypes,
  objectOf,
} from '@counterfoil/contract/operator/running/webhook-messages.ts';
import type { OperationObject, Parameter, Schema } from '../answers/openapi-document.ts';

/** Names of the contract's objects, as components of the document. */
const components: Readonly<Record<MessageObject, string>> = {
  invoice: 'InvoiceMessage',
  payment: 'PaymentMessage',
  external_payment: 'ExternalPaymentMessage',
  payment_method: 'MethodMessage',
  consent: 'ConsentMessage',
  user: 'UserMessage',
  import: 'ImportMessage',
  webhook: 'TestMessage',
};

const header = (name: string, description: string): Parameter => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
});

/** By the Standard Webhooks scheme. */
const headers = [
  header('webhook-id', 'Of the message: the same in every delivery of it.'),
  header('webhook-timestamp', 'When it was sent, in seconds since 1970.'),
  header(
    'webhook-signature',
    '`v1,` and the base64 of an HMAC-SHA256 over id, timestamp and body, joined by dots; several while a secret is rotated, parted by blanks.',
  ),
];

function bodyOf(type: MessageType): Schema {
  const text = (description: string, format?: string): Schema => ({
    type: 'string',
    description,
    ...(format !== undefined && { format }),
  });
  return {
    type: 'object',
    required: ['id', 'type', 'version', 'timestamp', 'resellerId', 'data'],
    properties: {
      id: text('As in `webhook-id`.', 'uuid'),
      type: { const: type },
      version: {
        const: MESSAGE_VERSION,
        description: 'Of the shape of `data`; members may be added within a version.',
      },
      timestamp: text('When it happened. ISO 8601 in UTC.', 'date-time'),
      resellerId: { type: 'integer', description: 'Whose it is.' },
      data: { $ref: `#/components/schemas/${components[objectOf(type)]}` },
    },
  };
}

/** A whole message of a type, as an example. */
export const exampleMessage = (type: MessageType) => ({
  id: '0199a3c1-ce30-7f6e-b0a4-7a1c5e2d9f10',
  type,
  version: MESSAGE_VERSION,
  timestamp: '2026-03-01T10:00:02.000Z',
  resellerId: 4100,
  data: messageExamples[objectOf(type)],
});

/** What is sent to the endpoints of a provider, as the document's `webhooks`. */
export function webhooksOut(): Readonly<Record<string, { readonly post: OperationObject }>> {
  const types = Object.entries(messageTypes) as [MessageType, string][];
  return Object.fromEntries(
    types.map(([type, summary]) => [
      type,
      {
        post: {
          operationId: `receive ${type}`.replaceAll(/[ ._](\w)/g, (_all, letter: string) =>
            letter.toUpperCase(),
          ),
          summary: summary.replace(/\.$/, ''),
          tags: ['webhooks out'],
          security: [],
          parameters: headers,
          requestBody: {
            content: { 'application/json': { schema: bodyOf(type), example: exampleMessage(type) } },
          },
          responses: {
            '2XX': { description: 'Taken: it is not sent again' },
            '410': { description: 'Nothing is wanted any more: the endpoint is disabled' },
            default: { description: 'Not taken: it is sent again, for three days' },
          },
        },
      },
    ]),
  );
}
