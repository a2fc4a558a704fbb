import { accountMailJobs } from '../features/auth/mail-jobs.ts';
import { receiptJob } from '../features/payments/receipt.ts';
import { createMailer, givingUp } from '../mail/mailer.ts';
import type { Runtime } from '../runtime.ts';
import type { Job } from './worker.ts';

/** Every kind of job, each brought by its feature. */
export function jobs(runtime: Runtime): Job[] {
  const { clock, config, log } = runtime;
  const db = runtime.databases.jobs;
  const mail = { db, clock, mailer: givingUp(createMailer(config), log), mailFrom: config.mailFrom };
  return [receiptJob(mail), ...accountMailJobs({ ...mail, publicUrl: config.publicUrl })];
}
