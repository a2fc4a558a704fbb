import { constant, error, field, type Row, rule, screen, section } from '../../row.ts';

const page = section({ prefix: 'portal.login-as', source: 'portal §2 Login-as' }, [
  screen('page', '/la/{id} is the log-in-as page; {id} is the one-time code.', {
    source: 'portal §2 Route table, Login-as; decisions §1',
  }),
  field('query.c', 'Optional query c is a customer id.'),
  rule('c-stored', 'The customer id of c is stored locally.'),
  field('query.r', 'Optional query r is a redirect.'),
  rule('success-with-r', 'On success with r it goes to /redirect-loader?r={r}.'),
  rule(
    'success-without-r',
    'On success without r it goes to /dashboard, or falls through to / where the brand has none.',
    {
      source: 'portal §2 Login-as; decisions §1',
    },
  ),
  error('failure', 'On failure it goes to /login.'),
  rule('support-one-time-code', 'Support staff can sign in as a customer with a one-time code.', {
    source: 'portal §1',
  }),
]);

const decided = section({ prefix: 'decisions.2', source: 'decisions §2' }, [
  field('login-by-code.code', 'Login by code sends code.'),
  rule('login-code-once', 'A one-time code works once.'),
  constant('login-code-life', 'A one-time code lives at most 5 minutes.'),
]);

/** Support signs in as a customer. */
export const rows: readonly Row[] = [...page, ...decided];
