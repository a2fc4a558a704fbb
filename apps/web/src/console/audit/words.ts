import type { AuditEventShown } from '@counterfoil/contract/operator/access/audit-trail.ts';
import { defineMessages } from '../../text/catalogue.ts';
import { t } from './messages.ts';

/** What each action was, as people say it. One that stands not here is shown by its name. */
const english = {
  'signIn.succeeded': 'Signed in',
  'signIn.refused': 'Sign-in refused',
  signOut: 'Signed out',
  'session.reuse': 'Session ended: its token came twice',
  'session.endedElsewhere': 'Sessions ended from the list',
  'passkey.added': 'Passkey added',
  'passkey.removed': 'Passkey removed',
  'passkey.copied': 'Passkey refused: it may have been copied',
  'password.changed': 'Password changed',
  'password.reset': 'Password reset by a mailed link',
  'secondFactor.on': 'Second factor turned on',
  'secondFactor.replaced': 'Second factor replaced',
  'secondFactor.off': 'Second factor turned off',
  'secondFactor.newCodes': 'Recovery codes renewed',
  'secondFactor.removed': 'Second factor removed by the provider',
  'registration.finished': 'Registration finished',
  'loginCode.made': 'Link made to sign in as the user',
  'loginCode.used': 'Signed in as the user',
  'loginCode.refused': 'Link to sign in as the user refused',
  'support.request': 'Changed something in the user’s name',
  'user.added': 'User added',
  'user.changed': 'User changed',
  'user.invited': 'User invited',
  'user.resetMailed': 'Link for a new password mailed',
  'user.disabled': 'User shut out',
  'user.enabled': 'User let in again',
  'user.memberAdded': 'User sees the customer',
  'user.removed': 'User taken out with the import that made it',
  'user.memberRemoved': 'User no longer sees the customer',
  'reseller.added': 'Reseller added',
  'reseller.changed': 'Reseller changed',
  'bankEntry.booked': 'Bank statement entry booked',
  'bankEntry.dismissed': 'Bank statement entry set aside',
  'bankEntry.reopened': 'Bank statement entry opened again',
  'customer.added': 'Customer added',
  'customer.changed': 'Customer changed',
  'customer.disabled': 'Customer disabled',
  'customer.enabled': 'Customer enabled',
  'customer.removed': 'Customer taken out with the import that made it',
  'service.removed': 'Service taken out with the import that made it',
  'brand.added': 'Brand added',
  'brand.changed': 'Brand changed',
  'paymentMethod.added': 'Payment method added',
  'paymentMethod.changed': 'Payment method changed',
  'paymentMethod.removed': 'Payment method removed',
  'paymentMethod.defaultSet': 'Payment method made the default',
  'consent.given': 'Auto-Pay allowed',
  'consent.revoked': 'Auto-Pay no longer allowed',
  'payment.refunded': 'Payment refunded',
  'payment.resolved': 'Payment resolved',
  'backup.restored': 'Backup restored',
  'secretKey.rotated': 'Secret key rotated',
  'payments.paused': 'Payments paused',
  'payments.resumed': 'Payments resumed',
  'externalPayment.recorded': 'Payment from outside recorded',
  'externalPayment.voided': 'Payment from outside taken back',
  'payLink.rotated': 'Pay link replaced',
  'payLink.ended': 'Pay link ended',
  'need.snoozed': 'Thing of Today put off',
  'need.shownAgain': 'Things of Today shown again',
  'mail.resent': 'Mail sent again',
  'mail.dismissed': 'Mail dismissed',
  'webhookEvent.retried': 'Event of a gateway followed up again',
  'webhookEvent.dismissed': 'Event of a gateway dismissed',
  'webhookEndpoint.added': 'Endpoint of webhooks added',
  'webhookEndpoint.changed': 'Endpoint of webhooks changed',
  'webhookEndpoint.removed': 'Endpoint of webhooks deleted',
  'webhookEndpoint.secretRotated': 'Endpoint of webhooks given a new secret',
  'webhookEndpoint.tested': 'Endpoint of webhooks tested',
  'webhookEndpoint.redelivered': 'Webhooks sent again',
  'job.retried': 'Job run again',
  'job.dropped': 'Job taken out of the queue',
  'round.wanted': 'Background round begun by hand',
  'import.added': 'File uploaded',
  'import.columnsSet': 'Columns of an import set',
  'import.started': 'Import started',
  'import.stopped': 'Import stopped',
  'import.discarded': 'Import given up',
  'import.undone': 'Import undone',
  'quarantine.retried': 'Quarantined rows tried again',
  'quarantine.corrected': 'Quarantined row corrected',
  'quarantine.dropped': 'Quarantined row taken away',
  'gateway.set': 'Gateway set',
  'gateway.disabled': 'Gateway taken out of use',
  'gateway.enabled': 'Gateway taken into use again',
  'gateway.verificationAsked': 'Verification of a gateway asked for',
  'gateway.verified': 'Gateway verified',
  'operator.added': 'Operator added',
  'operator.changed': 'Operator changed',
  'operator.disabled': 'Operator shut out',
  'operator.enabled': 'Operator let in again',
  'operator.reset': 'Operator’s sign-in taken away, invited again',
  'operator.joined': 'Operator followed the invitation',
  'operator.invited': 'Operator invited once more',
  'operator.invitationWithdrawn': 'Invitation of an operator withdrawn',
  'operator.removed': 'Operator removed',
  'operator.passwordReset': 'Operator’s password set by a mailed link',
  'operator.passkeyAdded': 'Operator’s passkey added',
  'operator.passkeyRenamed': 'Operator’s passkey renamed',
  'operator.passkeyRemoved': 'Operator’s passkey removed',
  'operator.ssoSet': 'Single sign-on of operators set',
  'operator.ssoRemoved': 'Single sign-on of operators removed',
  'operator.ssoBound': 'Operator signed in by this provider for the first time',
  'operator.ssoRefused': 'Single sign-on to the console refused',
  'operator.signedIn': 'Signed in to the console',
  'operator.signInRefused': 'Sign-in to the console refused',
  'operator.signedOut': 'Signed out of the console',
  'operator.sessionsEnded': 'Session of the console ended from the list',
  'apiKey.added': 'API key added',
  'apiKey.rotated': 'API key rotated',
  'apiKey.revoked': 'API key ended',
  'privacy.exported': 'Data handed out',
  'privacy.erased': 'Erased for good',
  'retention.applied': 'Old data deleted',
} as const;

const say = defineMessages(english);

/** Every action with its words, in the order of the words. */
export const allActions = (): (readonly [action: string, words: string])[] =>
  Object.keys(english)
    .map((action) => [action, actionWords(action)] as const)
    .sort(([, a], [, b]) => a.localeCompare(b));

export const actionWords = (action: string): string =>
  Object.hasOwn(english, action) ? say(action as keyof typeof english) : action;

/** Who acted: by address or name, without how the trail marks them. */
export function whoActed({ actor, user }: Pick<AuditEventShown, 'actor' | 'user'>): string {
  if (actor === null) return user ?? t('who.user');
  const [, kind, name = ''] = /^(operator|key|cli):(.+)$/s.exec(actor) ?? [];
  return kind === undefined ? actor : t(`who.${kind as 'operator' | 'key' | 'cli'}`, { name });
}

/** What belongs to the action in short: each change as what was and what is, then the rest. */
export function detailLines(detail: AuditEventShown['detail']): string[] {
  const text = (value: unknown): string =>
    value === null || value === '' ? t('empty') : typeof value === 'string' ? value : JSON.stringify(value);
  const names = Object.keys(detail);
  const changed = [...new Set(names.flatMap((name) => /^(?:before|after)\.(.+)$/.exec(name)?.[1] ?? []))];
  return [
    ...changed.map((name) =>
      t('change', {
        name,
        before: text(detail[`before.${name}`] ?? null),
        after: text(detail[`after.${name}`] ?? null),
      }),
    ),
    ...names
      .filter((name) => !/^(before|after)\./.test(name))
      .map((name) => `${name}: ${text(detail[name])}`),
  ];
}
