import type { Proof, Proofs } from '../row.ts';

const pageFile = 'e2e/password-reset.spec.ts';
const callFile = 'apps/api/src/features/auth/password-reset.test.ts';
const page: Proof = {
  file: pageFile,
  title: 'from the forgotten password by mail to a new one, which signs in',
};
const link: Proof = {
  file: callFile,
  title: 'mails a link in the brand’s name, to the brand’s own host whatever the Host header says',
};
const once: Proof = {
  file: callFile,
  title: 'works once: the new password signs in, the old one does not, and every session ends',
};
const expired: Proof = { file: callFile, title: 'says that the session has expired' };
const same: Proof = { file: callFile, title: 'answers an unknown address exactly as a known one' };

/** Tests that prove rows of auth-password-reset: row id to file and title. */
export const proofs: Proofs = {
  'portal.reset.screen.page': [page],
  'portal.reset.field.newPassword': [page],
  'portal.reset.control.update': [page],
  'portal.reset.control.back': [page],
  'portal.reset.form-until-end': [
    page,
    { file: pageFile, title: 'a failing server shows the banner and keeps what was typed' },
  ],
  'portal.reset.success-hides-form': [page],
  'portal.reset.failure-message': [page],
  'portal.reset.min-length': [page],
  'portal.reset.error.expired': [page, expired],
  'portal.reset.text.success': [page],
  'portal.reset.text.request-info': [page],
  'portal.reset.call.request': [link],
  'portal.reset.field.request.email': [link],
  'portal.reset.call.finish': [once],
  'portal.reset.field.finish.token': [once],
  'portal.reset.field.finish.password': [once],
  'portal.reset.error.description': [expired],
  'decisions.8.reset-tells-nothing-answer': [same],
  'decisions.8.reset-tells-nothing-wording': [same],
  'decisions.8.reset-tells-nothing-timing': [
    {
      file: callFile,
      title: 'does the same work for an unknown address: the same statements, and a job of the same look',
    },
  ],
  'decisions.constant.7.reset-token': [{ file: callFile, title: 'lives for an hour' }, expired],
  'decisions.7.reset-token-single-use': [
    once,
    { file: callFile, title: 'of twenty uses at once exactly one sets the password' },
  ],
  'decisions.9.no-password-mailed': [
    { file: callFile, title: 'mails that the password was changed, and never the password' },
  ],
};
