import type { Proof, Proofs } from '../row.ts';

const pageFile = 'e2e/account.spec.ts';
const callFile = 'apps/api/src/features/account/routes.test.ts';
const resetFile = 'apps/api/src/features/auth/password-reset.test.ts';
const page: Proof = { file: pageFile, title: 'the password is changed from the Settings menu' };
const fields: Proof = {
  file: pageFile,
  title: 'submit waits for all three fields and at least six characters',
};
const meter: Proof = {
  file: pageFile,
  title: 'the strength meter is loaded when a password is typed, and rates it',
};
const scores: Proof = {
  file: 'apps/web/src/features/account/strength.test.ts',
  title: 'has a word for each score, and 2 is enough',
};
const call: Proof = {
  file: callFile,
  title: 'keeps this session, ends the others, and mails the person',
};
const settings: Proof = {
  file: 'apps/api/src/features/registration/routes.test.ts',
  title: 'takes any twelve characters and refuses eleven, at registration and reset alike',
};
const refused: Proof = { file: resetFile, title: 'and leaves the link good' };

/** Tests that prove rows of account: row id to file and title. */
export const proofs: Proofs = {
  'portal.account.screen.change-password': [page],
  'portal.account.field.oldPassword': [page],
  'portal.account.field.newPassword': [page],
  'portal.account.field.newPasswordConfirmation': [page],
  'portal.account.text.success': [page],
  'portal.account.old-required': [fields],
  'portal.account.new-required': [fields],
  'portal.account.confirmation-required': [fields],
  'portal.account.disabled-unless-equal': [page],
  'portal.account.disabled-unless-long': [fields],
  'portal.account.control.strength-meter': [meter],
  'portal.account.constant.meter-min-length': [
    {
      file: 'apps/web/src/features/account/strength.test.ts',
      title: 'rates fewer than five characters as the worst, whatever they are',
    },
  ],
  'portal.account.constant.meter-min-score': [scores],
  'portal.account.text.meter-bad': [meter, scores],
  'portal.account.text.meter-weak': [meter, scores],
  'portal.account.text.meter-decent': [meter, scores],
  'portal.account.text.meter-strong': [meter, scores],
  'portal.account.text.meter-great': [meter, scores],
  'portal.account.error.no-match': [page],
  'portal.account.call.password': [call],
  'portal.account.field.password.oldPassword': [call],
  'portal.account.field.password.newPassword': [call],
  'decisions.error.7.wrong-old-password': [
    page,
    { file: callFile, title: 'refuses a wrong current password and changes nothing' },
  ],
  'decisions.error.7.common-password': [refused],
  'decisions.9.password-min-length-setting': [settings],
  'decisions.9.password-rule-setting': [settings],
  'decisions.9.block-list': [
    refused,
    { file: 'apps/api/src/features/auth/block-list.test.ts', title: 'holds %s' },
  ],
  'decisions.9.long-passwords': [refused],
};
