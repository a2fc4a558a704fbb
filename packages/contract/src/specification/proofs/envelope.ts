import type { Proof, Proofs } from '../row.ts';

const envelope = 'apps/api/src/http/envelope.test.ts';
const by = (file: string, ...titles: string[]): readonly Proof[] => titles.map((title) => ({ file, title }));
const refusal = by(envelope, 'is application/problem+json with code, message and requestId');

/** Tests that prove rows of envelope: row id to file and title. */
export const proofs: Proofs = {
  'decisions.3.field.data': by(envelope, 'is wrapped in data: in the document, and as it comes'),
  'decisions.3.error.problem-json': refusal,
  'decisions.3.field.problem.code': refusal,
  'decisions.3.field.problem.message': refusal,
  'decisions.3.field.problem.requestId': refusal,
  'decisions.3.exempt-token': by(envelope, 'of /token is not wrapped'),
  'decisions.3.exempt-files': by(envelope, 'that is a file is the file itself'),
  'decisions.3.money-ec': by(
    envelope,
    'carries money and quantities as JSON numbers',
    'has no amount or quantity that is a text, in any call of the portal',
  ),
  'decisions.3.money-admin': by(
    'apps/api/src/features/imports/routes.test.ts',
    'keeps the file, answers where to look, and its job takes it in; quantities are decimal strings',
  ),
  'decisions.3.money-gateway': by(
    'packages/gateways/src/stripe/wire-amount.test.ts',
    '%s minor units of %s are sent as %s',
    'comes back as it went, in every currency',
  ),
  'decisions.3.exempt-webhooks': by('apps/api/test/webhook-bytes.test.ts', 'answers without the envelope'),
};
