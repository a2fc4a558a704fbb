import { error, field, type Row, rule, section } from '../../row.ts';

const decided = section({ prefix: 'decisions.3', source: 'decisions §3' }, [
  field('data', 'Answers are wrapped in data.'),
  error('problem-json', 'Errors are application/problem+json.', 'application/problem+json'),
  field('problem.code', 'An error has code.'),
  field('problem.message', 'An error has message, which the portal may show a person.'),
  field('problem.requestId', 'An error has requestId.'),
  rule('exempt-token', '/token is exempt from the envelope.'),
  rule('exempt-files', 'Files are exempt from the envelope.'),
  rule('exempt-markup', 'Markup is exempt from the envelope.'),
  rule('exempt-webhooks', 'Webhooks are exempt from the envelope.'),
  rule('money-ec', 'Money and quantities are JSON numbers on /v1/ec.'),
  rule('money-admin', 'Money and quantities are decimal strings on /v1/admin.'),
  rule('money-gateway', "Towards gateways money is whatever each one's protocol says."),
]);

const lists = section({ prefix: 'decisions.11', source: 'decisions §11' }, [
  rule('lists-whole', 'Without paging parameters the lists are answered whole, streamed.'),
  rule(
    'lists-page',
    'With limit, offset, order, search and filters the lists answer a page with totalCount.',
  ),
  rule('lists-portal', 'The portal asks for pages of lists.'),
]);

/** The envelope of answers and errors, and how lists are answered. */
export const rows: readonly Row[] = [...decided, ...lists];
