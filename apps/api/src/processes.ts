import type { GatewayModule } from '@counterfoil/gateways/port/define-gateway.ts';
import { SEAL_EVERY_MS, sealAudit } from './audit/seals.ts';
import { buildApp, buildProbes } from './build-app.ts';
import { entityWriters } from './bulk-kinds.ts';
import { autoPayRound } from './features/auto-pay/service.ts';
import { MATCH_EVERY_MS, matchWaiting } from './features/bank-entries/service.ts';
import { QUARANTINE_EVERY_MS, quarantineRounds } from './features/imports/quarantine/rounds.ts';
import { SWEEP_IMPORTS_EVERY_MS, sweepImports } from './features/imports/runs/service.ts';
import { dropFolders, LOOK_EVERY_MS } from './features/imports/watch/drop-folders.ts';
import { INVOICE_MAILS_EVERY_MS, invoiceMailsRound } from './features/invoice-mails/service.ts';
import { receiveMethodEvent } from './features/payment-methods/events-service.ts';
import { methodRounds } from './features/payment-methods/tasks.ts';
import { afterEndRounds } from './features/payments/after-end/rounds.ts';
import { reconciler } from './features/payments/attempts/reconcile.ts';
import { scanPaused } from './features/payments/pause/scan.ts';
import { eventFollower } from './features/payments/webhooks/follow-up.ts';
import { pollEvents } from './features/payments/webhooks/poll-events.ts';
import { applyRetention, RETENTION_EVERY_MS } from './features/privacy/service.ts';
import { SWEEP_EVERY_MS, sweepReports } from './features/reports/sweep.ts';
import { ensureMonthsAhead, MONTHS_EVERY_MS } from './features/usage/months/months.ts';
import {
  CHOOSE_SELECTIONS_EVERY_MS,
  chooseNext,
  KEEP_COLUMNS_EVERY_MS,
  keepColumns,
} from './features/usage/service.ts';
import { SEND_EVERY_MS, webhookSender } from './features/webhook-endpoints/service.ts';
import { openFileStore } from './files/open-file-store.ts';
import { gatewayAccounts } from './gateway-accounts.ts';
import { jobs, LONG_JOBS_AT_ONCE, longJobs } from './jobs/jobs.ts';
import { SAVE_ROUNDS_MS, saveRounds } from './jobs/rounds.ts';
import { startLoop, startWorker } from './jobs/worker.ts';
import { forgetFreeKeys } from './limits/limiter.ts';
import { QUEUE_PROMISES_MS, queuePromises } from './mail/outbox.ts';
import {
  FORGET_MESSAGES_MS,
  forgetMessages,
  TELL_DAYS_EVERY_MS,
  tellOfDays,
} from './messages/day-messages.ts';
import { createPdfRenderer } from './pdf/process/pool.ts';
import type { Runtime } from './runtime.ts';

/** A part of the server that runs until it is stopped. */
export interface Running {
  stop(): Promise<void>;
}

/** Answers HTTP. @returns with the address it listens on */
export async function serve(
  runtime: Runtime,
  modules: readonly GatewayModule[],
  dist?: string,
): Promise<Running & { readonly address: string }> {
  const { app, lifecycle } = await buildApp(runtime, dist === undefined ? { modules } : { modules, dist });
  const address = await app.listen({ host: runtime.config.host, port: runtime.config.port });
  return { address, stop: () => lifecycle.stop(runtime.config.stopPauseMs) };
}

/** Where `work` answers whoever watches it, where nothing is said. */
export const WORK_PORT = 3001;

/**
 * Works, and answers /healthz, /readyz and /metrics meanwhile, at a port of its own.
 * @returns with the address it listens on
 * @throws {Error} when it cannot listen where the settings say
 */
export async function workWatched(
  runtime: Runtime,
  modules: readonly GatewayModule[],
): Promise<Running & { readonly address: string }> {
  const { app, lifecycle } = buildProbes(runtime);
  const { host, workPort } = runtime.config;
  const address = await app.listen({ host, port: workPort ?? WORK_PORT }).catch((error: unknown) => {
    if (workPort !== undefined || !isTaken(error)) throw error;
    // One of several workers on this machine: it says where it is to be found.
    runtime.log.warn(
      { port: WORK_PORT },
      'the port is taken: health and metrics are at another; see WORK_PORT',
    );
    return app.listen({ host, port: 0 });
  });
  const worker = await work(runtime, modules).catch(async (error: unknown) => {
    await lifecycle.stop();
    throw error;
  });
  return {
    address,
    async stop() {
      lifecycle.retire();
      await worker.stop();
      await lifecycle.stop();
    },
  };
}

const isTaken = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';

/** Between two rounds of forgetting limits that are free again. */
const FORGET_LIMITS_MS = 10 * 60_000;

/** Between two rounds of auto-pay, which looks what time it is at each brand. */
const AUTO_PAY_EVERY_MS = 60_000;

/** Between two rounds of polling gateways; each account has a pause of its own. */
const POLL_ROUND_MS = 60_000;

/** Between two looks whether accounts are to be scanned after a restored backup. */
const SCAN_ROUND_MS = 15_000;

/** Runs the queue, the reconciler, what follows up events of gateways, and what tidies up. */
export async function work(runtime: Runtime, modules: readonly GatewayModule[]): Promise<Running> {
  const { secrets, clock, log, config, databases } = runtime;
  const db = databases.jobs;
  const accounts = gatewayAccounts(runtime, modules);
  const url = runtime.databaseUrl;
  const pdf = createPdfRenderer();
  const runner = await startWorker({ url, log }, jobs(runtime, pdf, accounts));
  const longRunner = await startWorker(
    { url, log, concurrency: LONG_JOBS_AT_ONCE },
    longJobs(runtime, modules),
  );
  const payments = reconciler({ db, secrets, clock, log, accounts });
  const stopRounds = startLoop('reconcile', config.reconcileIntervalMs, log, () => payments.round());
  const stopReconciler = () => stopRounds().then(() => payments.stop());
  const events = eventFollower({ db, secrets, clock, log, accounts, receiveMethodEvent });
  const stopEventRounds = startLoop('webhook events', config.reconcileIntervalMs, log, () => events.round());
  const stopEvents = () => stopEventRounds().then(() => events.stop());
  const stopPolling = startLoop('gateway events', POLL_ROUND_MS, log, () =>
    pollEvents({ db, secrets, clock, log, accounts }),
  );
  const ended = afterEndRounds({ db, secrets, clock, log, accounts });
  const stopEndedRounds = startLoop('ended payments', config.reconcileIntervalMs, log, () => ended.round());
  const stopEnded = () => stopEndedRounds().then(() => ended.stop());
  const stopScanning = startLoop('restored backup', SCAN_ROUND_MS, log, () =>
    scanPaused({ db, secrets, clock, log, accounts }),
  );
  const methods = methodRounds({ db, secrets, clock, log, accounts });
  const stopMethodRounds = startLoop('saved methods', config.reconcileIntervalMs, log, () => methods.round());
  const stopMethods = () => stopMethodRounds().then(() => methods.stop());
  const stopAutoPay = startLoop('auto-pay', AUTO_PAY_EVERY_MS, log, () =>
    autoPayRound({ db, secrets, clock, log, accounts, publicUrl: config.publicUrl }),
  );
  const stopInvoiceMails = startLoop('invoice mails', INVOICE_MAILS_EVERY_MS, log, () =>
    invoiceMailsRound({ db, clock }),
  );
  const stopPromises = startLoop('promised mails', QUEUE_PROMISES_MS, log, () => queuePromises(db, clock));
  const stopSealing = startLoop('audit seals', SEAL_EVERY_MS, log, () => sealAudit({ db, clock, log }));
  const stopForgetting = startLoop('limits', FORGET_LIMITS_MS, log, () => forgetFreeKeys(db, clock.now()));
  const webhooks = webhookSender({ db, secrets, clock, log, allowsPrivate: config.webhooksAllowPrivate });
  const stopWebhookRounds = startLoop('webhooks out', SEND_EVERY_MS, log, () => webhooks.round());
  const stopWebhooks = () => stopWebhookRounds().then(() => webhooks.stop());
  const stopDays = startLoop('days told', TELL_DAYS_EVERY_MS, log, () => tellOfDays(db, clock.now()));
  const stopForgettingMessages = startLoop('webhook messages', FORGET_MESSAGES_MS, log, () =>
    forgetMessages(db, clock.now()),
  );
  const stopSavingRounds = startLoop('rounds', SAVE_ROUNDS_MS, log, () => saveRounds(db));
  const files = openFileStore(config.filesUrl, config.s3);
  const stopSweeping = startLoop('reports', SWEEP_EVERY_MS, log, () => sweepReports({ db, clock, files }));
  const stopSweepingImports = startLoop('imports', SWEEP_IMPORTS_EVERY_MS, log, () =>
    sweepImports({ db, clock, files }),
  );
  const stopRetention = startLoop('retention', RETENTION_EVERY_MS, log, () =>
    applyRetention({ db, clock, files, keep: config.retention }),
  );
  const stopMonths = startLoop('usage months', MONTHS_EVERY_MS, log, () =>
    ensureMonthsAhead(db, clock.now()),
  );
  const stopChoosing = startLoop('usage selections', CHOOSE_SELECTIONS_EVERY_MS, log, () =>
    chooseNext(databases.exports),
  );
  const stopColumns = startLoop('usage columns', KEEP_COLUMNS_EVERY_MS, log, () =>
    keepColumns(databases.exports),
  );
  const importing = {
    db: databases.exports,
    secrets,
    clock,
    publicUrl: config.publicUrl,
    files,
    writers: entityWriters({ secrets, publicUrl: config.publicUrl }),
  };
  const quarantine = quarantineRounds(importing);
  const stopRetries = startLoop('quarantine', QUARANTINE_EVERY_MS, log, () => quarantine.round());
  const stopMatching = startLoop('bank entries', MATCH_EVERY_MS, log, () => matchWaiting({ db, clock, log }));
  const drops = dropFolders({ ...importing, log, root: config.importFolder });
  const stopLooking = startLoop('drop folders', LOOK_EVERY_MS, log, () => drops.round());
  const stopDrops = () => {
    drops.stop();
    return stopLooking();
  };
  const loops = [
    stopReconciler,
    stopPolling,
    stopEvents,
    stopEnded,
    stopScanning,
    stopMethods,
    stopAutoPay,
    stopInvoiceMails,
    stopPromises,
    stopSealing,
    stopForgetting,
    stopRetention,
    stopWebhooks,
    stopDays,
    stopForgettingMessages,
    stopSavingRounds,
    stopSweeping,
    stopSweepingImports,
    stopMonths,
    stopChoosing,
    stopColumns,
    stopRetries,
    stopMatching,
    stopDrops,
  ];
  const all = [...loops, () => runner.stop(), () => longRunner.stop()];
  return {
    async stop() {
      await Promise.allSettled(all.map((stop) => stop()));
      pdf.close();
    },
  };
}
