import type { GatewayModule } from '@counterfoil/gateways/port/define-gateway.ts';
import { entityWriters } from '../bulk-kinds.ts';
import { addressesOf } from '../demo/sandbox-addresses.ts';
import { verificationJob } from '../features/admin-gateways/verification-runs.ts';
import { authMailJobs } from '../features/auth/mail-queue.ts';
import { foreseeCharges } from '../features/auto-pay/foresee.ts';
import { autoPayMailJob } from '../features/auto-pay/mail-queue.ts';
import { quarantineRetryJob } from '../features/imports/quarantine/admin-service.ts';
import { importUndoJob } from '../features/imports/runs/undo-job.ts';
import { usageImportJob } from '../features/imports/uploads/job.ts';
import { invoiceMailJob } from '../features/invoice-mails/mail-queue.ts';
import { operatorMailJobs } from '../features/operators/service.ts';
import { passkeyMailJob } from '../features/passkeys/mail-queue.ts';
import { payLinkMailJob } from '../features/pay-links/mail-queue.ts';
import { receiptJob } from '../features/payments/receipts/mail-queue.ts';
import type { GatewayAccounts } from '../features/payments/service.ts';
import { allReports } from '../features/reports/definitions/all.ts';
import { reportJob } from '../features/reports/report-job.ts';
import { secondFactorMailJob } from '../features/second-factor/mail-queue.ts';
import { accountSumJob } from '../features/statement/account-sums.ts';
import { openFileStore } from '../files/open-file-store.ts';
import type { CustomerScope } from '../http/requests/scope.ts';
import type { PdfRenderer } from '../letters/pdf-service.ts';
import { bounceAddress } from '../mail/bounce-address.ts';
import { createMailer, givingUp } from '../mail/mailer.ts';
import type { Runtime } from '../runtime.ts';
import type { Job } from './worker.ts';

/** The jobs that take moments, each brought by its feature. */
export function jobs(runtime: Runtime, pdf: PdfRenderer, accounts: GatewayAccounts): Job[] {
  const { clock, config, log, secrets } = runtime;
  const db = runtime.databases.jobs;
  const { mailFrom, mailBounces } = config;
  const bounces = mailBounces === undefined ? undefined : bounceAddress(mailBounces, secrets);
  const mail = { db, clock, mailer: givingUp(createMailer(config), log), mailFrom, bounces };
  const linked = { ...mail, secrets, publicUrl: config.publicUrl };
  const account = { ...linked, isDemo: config.demo === true };
  const files = openFileStore(config.filesUrl, config.s3);
  const comingCharges = (scope: CustomerScope, currency: string) =>
    foreseeCharges({ db, accounts }, scope, currency, clock.now());
  const paymentTypeOf = (resellerId: number) => accounts.paymentTypeOf(resellerId);
  return [
    invoiceMailJob({
      ...linked,
      pdf,
      files,
      comingCharges,
      paymentTypeOf,
      exports: runtime.databases.exports,
    }),
    receiptJob({ ...linked, pdf }),
    autoPayMailJob(linked),
    payLinkMailJob(linked),
    ...authMailJobs(account),
    secondFactorMailJob(account),
    passkeyMailJob(account),
    ...operatorMailJobs(account),
  ];
}

/** How many long jobs run at once. */
export const LONG_JOBS_AT_ONCE = 2;

/** The jobs that may take minutes: they run apart, so that no mail waits for them. */
export function longJobs(runtime: Runtime, modules: readonly GatewayModule[]): Job[] {
  const { databases, config, clock, log, secrets } = runtime;
  const files = openFileStore(config.filesUrl, config.s3);
  const { publicUrl } = config;
  const writers = entityWriters({ secrets, publicUrl });
  const importing = { db: databases.exports, secrets, publicUrl, files, writers };
  return [
    accountSumJob({ db: databases.jobs }),
    reportJob({ db: databases.jobs, exports: databases.exports, clock, files, reports: allReports, log }),
    verificationJob({
      db: databases.jobs,
      secrets,
      clock,
      log,
      modules,
      publicUrl,
      addresses: addressesOf(config),
    }),
    usageImportJob({ ...importing, clock }),
    importUndoJob({ ...importing, clock }),
    quarantineRetryJob({ ...importing, clock }),
  ];
}
