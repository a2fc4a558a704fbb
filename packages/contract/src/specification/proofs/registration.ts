import type { Proof, Proofs } from '../row.ts';

const pageFile = 'e2e/registration.spec.ts';
const callFile = 'apps/api/src/features/registration/routes.test.ts';
const page: Proof = {
  file: pageFile,
  title: 'a new user sets the password and signs in; the link works once',
};
const messages: Proof = {
  file: pageFile,
  title: 'the messages come one by one, in their order, once both fields are filled',
};
const call: Proof = { file: callFile, title: 'the password set with it signs in, and no change is reported' };
const refused: Proof = { file: callFile, title: 'with its message and leaves the link good' };
const expired: Proof = { file: callFile, title: 'says that the session has expired' };
const special: Proof = { file: 'packages/domain/src/password.test.ts', title: 'takes %s as special' };

/** Tests that prove rows of registration: row id to file and title. */
export const proofs: Proofs = {
  'payments.registration.screen.page': [page],
  'payments.registration.purpose': [page],
  'payments.registration.text.title': [page],
  'payments.registration.field.password': [page],
  'payments.registration.field.confirmation': [page],
  'payments.registration.control.finish': [page],
  'payments.registration.control.back': [page],
  'payments.registration.text.success': [page],
  'payments.registration.error.expired': [page, expired],
  'payments.registration.state.initial': [page],
  'payments.registration.state.success': [page],
  'payments.registration.state.failure': [page],
  'payments.registration.constant.min-length': [refused],
  'payments.registration.uppercase': [refused],
  'payments.registration.lowercase': [refused],
  'payments.registration.digit': [refused],
  'payments.registration.constant.special': [special, refused],
  'payments.registration.confirmation-matches': [messages],
  'payments.registration.error.short': [messages, refused],
  'payments.registration.error.no-uppercase': [messages, refused],
  'payments.registration.error.no-lowercase': [messages, refused],
  'payments.registration.error.no-number': [messages, refused],
  'payments.registration.error.no-special': [messages, refused],
  'payments.registration.error.no-match': [messages],
  'payments.registration.message-order': [messages],
  'payments.registration.error-when-both-filled': [messages],
  'payments.registration.disabled-until-valid': [messages],
  'payments.registration.text.hint': [page],
  'payments.registration.call.finish': [call],
  'payments.registration.field.finish.token': [call],
  'payments.registration.field.finish.password': [call],
  'payments.registration.error.description': [expired],
  'decisions.7.constant.registration-token': [{ file: callFile, title: 'lives for seven days' }, expired],
  'decisions.7.registration-token-single-use': [
    page,
    { file: callFile, title: 'of twenty uses at once exactly one counts' },
  ],
};
