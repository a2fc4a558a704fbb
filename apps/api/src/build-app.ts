import { join } from 'node:path';
import type { GatewayModule } from '@counterfoil/gateways/port/define-gateway.ts';
import cookie from '@fastify/cookie';
import { bulkSlots } from './bulk/bulk-route.ts';
import { entityWriters } from './bulk-kinds.ts';
import { addressesOf } from './demo/sandbox-addresses.ts';
import type { Deps } from './deps.ts';
import { accountRoutes } from './features/account/routes.ts';
import { resellerRoutes } from './features/admin-brands/reseller-routes.ts';
import { adminBrandRoutes } from './features/admin-brands/routes.ts';
import { adminGatewayRoutes } from './features/admin-gateways/routes.ts';
import { invoiceBulkRoutes } from './features/admin-invoices/bulk-routes.ts';
import { invoiceDocumentRoutes } from './features/admin-invoices/document-routes.ts';
import { adminInvoiceRoutes } from './features/admin-invoices/routes.ts';
import { mailPageRoutes } from './features/admin-mails/page-routes.ts';
import { adminMailRoutes } from './features/admin-mails/routes.ts';
import { adminPaymentRoutes } from './features/admin-payments/routes.ts';
import { adminWebhookRoutes } from './features/admin-webhooks/routes.ts';
import { authenticatePrograms } from './features/api-keys/authenticate-programs.ts';
import { apiKeyRoutes } from './features/api-keys/routes.ts';
import { auditTrailRoutes } from './features/audit-trail/routes.ts';
import { authenticateSessions } from './features/auth/authenticate-sessions.ts';
import { basicGrants } from './features/auth/grants.ts';
import { passwordResetRoutes } from './features/auth/passwords/password-reset-routes.ts';
import { authRoutes } from './features/auth/routes.ts';
import type { SignInChecks } from './features/auth/sign-in.ts';
import { adminAutoPayRoutes } from './features/auto-pay/admin-routes.ts';
import { foreseeCharges } from './features/auto-pay/foresee.ts';
import { bankEntryRoutes } from './features/bank-entries/routes.ts';
import { brandRoutes } from './features/brand/routes.ts';
import { portalSettingsRoutes } from './features/brand/settings-routes.ts';
import { isTrustedOrigin } from './features/brand/trusted-origin.ts';
import { brandPreviewRoutes } from './features/brand-preview/routes.ts';
import { bulkPayRoutes, sessionEntry } from './features/bulk-pay/routes.ts';
import { costCentreRoutes } from './features/cost-centres/routes.ts';
import { adminCustomerRoutes } from './features/customers/admin-routes.ts';
import { customerBulkRoutes } from './features/customers/bulk-routes.ts';
import { customersRoutes } from './features/customers/routes.ts';
import { customerUserRoutes } from './features/customers/user-routes.ts';
import { userStateRoutes } from './features/customers/user-state-routes.ts';
import { dashboardRoutes } from './features/dashboard/routes.ts';
import { adminEInvoiceRoutes } from './features/e-invoices/admin-routes.ts';
import { eInvoiceRoutes } from './features/e-invoices/routes.ts';
import { entryPathRoutes } from './features/entries/path-routes.ts';
import { entryRoutes } from './features/entries/routes.ts';
import type { Preparers } from './features/entries/service.ts';
import { externalPaymentRoutes } from './features/external-payments/routes.ts';
import { uploadRoutes } from './features/imports/routes.ts';
import { installationRoutes } from './features/installation/routes.ts';
import { invoiceRoutes } from './features/invoices/routes.ts';
import { journalRoutes } from './features/journal/routes.ts';
import { signInAsRoutes } from './features/login-as/admin-routes.ts';
import { loginAsRoutes } from './features/login-as/routes.ts';
import { recordSupport } from './features/login-as/support-trail.ts';
import { masterDataRoutes } from './features/master-data/routes.ts';
import { authenticateOperators } from './features/operators/authenticate-operators.ts';
import { operatorPasskeyRoutes } from './features/operators/passkey-routes.ts';
import { operatorPeopleRoutes } from './features/operators/people-routes.ts';
import { operatorRoutes } from './features/operators/routes.ts';
import { operatorSsoRoutes } from './features/operators/sso-routes.ts';
import { passkeysRoutes } from './features/passkeys/routes.ts';
import { passkeyGrants } from './features/passkeys/service.ts';
import { adminPayLinkRoutes } from './features/pay-links/admin-routes.ts';
import { payLinkRoutes } from './features/pay-links/routes.ts';
import { customerMethodRoutes } from './features/payment-methods/admin-routes.ts';
import { methodEntryRoutes, savedEntry } from './features/payment-methods/entry-routes.ts';
import { receiveMethodEvent } from './features/payment-methods/events-service.ts';
import { isSavedByAnother } from './features/payment-methods/queries.ts';
import { paymentMethodRoutes } from './features/payment-methods/routes.ts';
import { paymentSettingsRoutes } from './features/payment-methods/settings-routes.ts';
import { setupRoutes } from './features/payment-methods/setups/setup-routes.ts';
import type { GatewayAccounts } from './features/payments/accounts.ts';
import { receiptRoutes } from './features/payments/receipts/receipt-routes.ts';
import { type EventFollower, eventFollower } from './features/payments/webhooks/follow-up.ts';
import { webhookRoutes } from './features/payments/webhooks/webhook-routes.ts';
import { preferencesRoutes } from './features/preferences/routes.ts';
import { erasureRoutes } from './features/privacy/erasure-routes.ts';
import { privacyRoutes } from './features/privacy/routes.ts';
import { publicDocumentRoutes } from './features/public-pay/document-routes.ts';
import { linkEntry } from './features/public-pay/entry.ts';
import { publicPayRoutes } from './features/public-pay/routes.ts';
import { registrationRoutes } from './features/registration/routes.ts';
import { allReports } from './features/reports/definitions/all.ts';
import { reportRoutes } from './features/reports/routes.ts';
import { searchRoutes } from './features/search/routes.ts';
import { secondFactorRoutes } from './features/second-factor/routes.ts';
import { askForSecondFactor, secondFactorGrants } from './features/second-factor/service.ts';
import { serviceItemRoutes } from './features/service-items/routes.ts';
import { sessionsRoutes } from './features/sessions/routes.ts';
import { IdentityProviders } from './features/sso/identity-provider.ts';
import { ssoRoutes } from './features/sso/routes.ts';
import { requiredSso, ssoGrants } from './features/sso/service.ts';
import { statementRoutes } from './features/statement/routes.ts';
import { todayRoutes } from './features/today/routes.ts';
import { transactionRoutes } from './features/transactions/routes.ts';
import { usageRoutes } from './features/usage/routes.ts';
import { webhookDeliveryRoutes } from './features/webhook-endpoints/delivery-routes.ts';
import { webhookEndpointRoutes } from './features/webhook-endpoints/routes.ts';
import { folderOfFiles, openFileStore } from './files/open-file-store.ts';
import { gatewayAccounts } from './gateway-accounts.ts';
import { documentation } from './http/answers/documentation.ts';
import { healthRoutes } from './http/answers/health.ts';
import { createMetrics, metricsRoutes } from './http/answers/metrics.ts';
import { type StockDeps, stockMetrics } from './http/answers/stock-metrics.ts';
import { listSlots } from './http/answers/whole-list.ts';
import { createApp } from './http/app.ts';
import type { App } from './http/app-type.ts';
import { docsPage } from './http/docs/docs-page.ts';
import { refuseCrossSite } from './http/guards/cross-site.ts';
import { securityHeaders } from './http/guards/security-headers.ts';
import { pagesRoutes } from './http/pages/pages.ts';
import { createLifecycle, type Lifecycle } from './http/requests/lifecycle.ts';
import type { CustomerScope } from './http/requests/scope.ts';
import { limitRoutes } from './limits/limit-routes.ts';
import { Limiter } from './limits/limiter.ts';
import { pageBrands } from './page-brands.ts';
import { createPdfRenderer } from './pdf/process/pool.ts';
import { VERSION } from './version.ts';

export interface AppOptions {
  readonly modules: readonly GatewayModule[];
  readonly dist?: string;
  /** The longest wait for a charge's answer, milliseconds. */
  readonly callWithinMs?: number;
  /** How often the metrics ask the database, where not as usual. */
  readonly stock?: Pick<StockDeps, 'readEveryMs'>;
}

export interface BuiltApp {
  readonly app: App;
  readonly lifecycle: Lifecycle;
  readonly accounts: GatewayAccounts;
  /** Follows up the events that this process receives. */
  readonly events: EventFollower;
}

/** Puts the server together: the one file that knows every feature. */
export async function buildApp(deps: Deps, options: AppOptions): Promise<BuiltApp> {
  const { config, clock, secrets, log } = deps;
  const db = deps.databases.web;
  const app = createApp(deps);
  const lifecycle = createLifecycle(app);
  const accounts = gatewayAccounts(deps, options.modules);
  await app.register(cookie);
  securityHeaders(app, { https: config.publicUrl.protocol === 'https:' });
  refuseCrossSite(app, {
    publicUrl: config.publicUrl,
    isTrusted: (origin, host) => isTrustedOrigin({ db, publicUrl: config.publicUrl }, origin, host),
  });
  documentation(app, VERSION);
  docsPage(app);
  const dist = options.dist ?? config.webDist;
  const readiness = healthRoutes(app, {
    db,
    dataDir: config.dataDir,
    filesDir: folderOfFiles(config),
    filesFault: () => openFileStore(config.filesUrl, config.s3).fault(),
    dist,
    isStopping: () => lifecycle.isStopping,
  });
  const metrics = createMetrics();
  metricsRoutes(app, metrics, { token: config.metricsToken, pools: { ...deps.databases } });

  const paymentTypeOf = (resellerId: number) => accounts.paymentTypeOf(resellerId);
  const comingCharges = (scope: CustomerScope, currency: string) =>
    foreseeCharges({ db, accounts }, scope, currency, clock.now());
  const limiter = new Limiter({ db, secrets, clock });
  const isDemo = config.demo === true;
  const auth = { db, secrets, clock, limiter, isDemo, sessionEnds: config.sessionEnds };
  authenticateSessions(app, auth);
  const operators = {
    db,
    clock,
    secrets,
    limiter,
    isDemo,
    publicUrl: config.publicUrl,
    sendsMail: config.smtpUrl !== undefined,
  };
  authenticateOperators(app, operators);
  authenticatePrograms(app, { db, clock, limiter, isDemo });
  limitRoutes(app, limiter);
  recordSupport(app, { db, clock });
  const sso = { ...auth, log, publicUrl: config.publicUrl, providers: new IdentityProviders({ clock }) };
  const checks: SignInChecks = { before: [requiredSso(sso)], after: [askForSecondFactor(auth)] };
  const passkeys = { ...auth, publicUrl: config.publicUrl, checks: checks.before };
  authRoutes(app, auth, {
    ...basicGrants(auth, checks),
    ...ssoGrants(sso),
    ...secondFactorGrants(auth),
    ...passkeyGrants(passkeys),
  });
  ssoRoutes(app, sso);
  loginAsRoutes(app, auth);
  signInAsRoutes(app, { db, clock, publicUrl: config.publicUrl });
  const passwords = { db, clock, settings: config, isDemo };
  passwordResetRoutes(app, { ...passwords, secrets });
  registrationRoutes(app, passwords);
  accountRoutes(app, passwords);
  secondFactorRoutes(app, auth);
  sessionsRoutes(app, { db, clock });
  passkeysRoutes(app, passkeys);
  operatorRoutes(app, operators);
  operatorPasskeyRoutes(app, operators);
  operatorSsoRoutes(app, { ...operators, providers: sso.providers });
  operatorPeopleRoutes(app, operators);
  apiKeyRoutes(app, operators);
  brandRoutes(app, { db });
  customersRoutes(app, { db });
  adminCustomerRoutes(app, { db, clock });
  customerUserRoutes(app, { db, clock });
  userStateRoutes(app, { db, clock, secrets });
  const bulk = {
    db: deps.databases.exports,
    clock,
    folder: join(config.dataDir, 'received'),
    slots: bulkSlots(),
  };
  customerBulkRoutes(app, bulk);
  masterDataRoutes(app, { db, clock, bulk });
  preferencesRoutes(app, { db });
  portalSettingsRoutes(app, {
    db,
    paymentTypeOf,
    standingFor: (resellerId) => accounts.standingFor(resellerId),
  });
  const pdf = createPdfRenderer();
  app.addHook('onClose', async () => pdf.close());
  const files = openFileStore(config.filesUrl, config.s3);
  const paper = { paymentTypeOf, comingCharges, exports: deps.databases.exports, pdf, files };
  const letters = { db, clock, secrets, publicUrl: config.publicUrl, ...paper };
  const lists = { db, exports: deps.databases.exports, slots: listSlots() };
  invoiceRoutes(app, { ...letters, ...lists });
  eInvoiceRoutes(app, letters);
  usageRoutes(app, { db, exports: deps.databases.exports });
  transactionRoutes(app, lists);
  serviceItemRoutes(app, { ...lists, clock });
  costCentreRoutes(app, { db, clock });
  statementRoutes(app, { ...lists, clock, publicUrl: config.publicUrl, ...paper });
  receiptRoutes(app, { db, publicUrl: config.publicUrl, pdf });
  dashboardRoutes(app, { db, clock });
  reportRoutes(app, { db, clock, files, reports: allReports });
  privacyRoutes(app, { db, exports: deps.databases.exports, files, clock });
  erasureRoutes(app, { web: db, db: deps.databases.exports, files, clock });
  const { publicUrl } = config;
  const retry = {
    db: deps.databases.exports,
    secrets,
    publicUrl,
    files,
    writers: entityWriters({ secrets, publicUrl }),
  };
  uploadRoutes(app, { db, clock, files, retry });
  externalPaymentRoutes(app, { db, clock, bulk });
  bankEntryRoutes(app, { db, clock });
  const { callWithinMs } = options;
  const payments = {
    db,
    secrets,
    clock,
    log,
    accounts,
    ...(callWithinMs === undefined ? {} : { callWithinMs }),
  };
  adminBrandRoutes(app, { db, clock });
  brandPreviewRoutes(app, { db, clock, publicUrl: config.publicUrl, mailFrom: config.mailFrom, pdf });
  resellerRoutes(app, { db, clock, isDemo });
  searchRoutes(app, { db });
  auditTrailRoutes(app, { db });
  journalRoutes(app, { db: deps.databases.exports });
  invoiceDocumentRoutes(app, { ...letters, clock, files });
  adminEInvoiceRoutes(app, letters);
  adminInvoiceRoutes(app, { db, clock, secrets, publicUrl: config.publicUrl });
  invoiceBulkRoutes(app, bulk, { secrets, publicUrl: config.publicUrl });
  adminPaymentRoutes(app, payments);
  adminGatewayRoutes(app, {
    db,
    secrets,
    clock,
    accounts,
    modules: options.modules,
    publicUrl: config.publicUrl,
    addresses: addressesOf(config),
  });
  adminPayLinkRoutes(app, { db, clock, secrets, publicUrl: config.publicUrl });
  adminAutoPayRoutes(app, { db, clock, accounts });
  adminMailRoutes(app, { db, clock });
  mailPageRoutes(app, { db });
  installationRoutes(app, { db, clock, readiness, hasMailServer: config.smtpUrl !== undefined });
  todayRoutes(app, { db, clock, accounts });
  const publicPay = { ...payments, publicUrl: config.publicUrl };
  publicPayRoutes(app, publicPay);
  publicDocumentRoutes(app, { ...publicPay, ...paper });
  payLinkRoutes(app, publicPay);
  bulkPayRoutes(app, publicPay);
  paymentSettingsRoutes(app, publicPay);
  setupRoutes(app, publicPay);
  paymentMethodRoutes(app, publicPay, options.modules);
  const preparers: Preparers = {
    save: savedEntry(publicPay),
    session: sessionEntry(publicPay),
    link: (_request, token) => linkEntry(publicPay, token),
  };
  customerMethodRoutes(app, publicPay);
  methodEntryRoutes(app, preparers);
  entryPathRoutes(app, preparers, options.modules);
  entryRoutes(app, {
    ...publicPay,
    isSavedByAnother: (customerId, accountId, token) =>
      isSavedByAnother(db, secrets, customerId, { accountId, token }),
  });
  const events = eventFollower({ ...payments, db: deps.databases.jobs, receiveMethodEvent });
  // While the last requests are answered; what they bring is left to a worker.
  app.addHook('preClose', async () => void events.stop());
  app.addHook('onClose', () => events.stop());
  webhookRoutes(app, payments, events);
  adminWebhookRoutes(app, { db, clock, events });
  const sending = { db, clock, log, secrets, allowsPrivate: config.webhooksAllowPrivate };
  webhookEndpointRoutes(app, sending);
  webhookDeliveryRoutes(app, sending);
  stockMetrics(metrics.registry, { db, clock, ...options.stock });
  await pagesRoutes(app, {
    dist,
    passwords: { minLength: config.passwordMinLength, rule: config.passwordRule },
    clock,
    ...pageBrands(publicPay),
  });
  return { app, lifecycle, accounts, events };
}

/** Health and metrics of a process that answers nothing else. */
export function buildProbes({ config, databases, clock, log }: Deps): Pick<BuiltApp, 'app' | 'lifecycle'> {
  const app = createApp({ config, log });
  const lifecycle = createLifecycle(app);
  securityHeaders(app, { https: config.publicUrl.protocol === 'https:' });
  healthRoutes(app, {
    db: databases.web,
    dataDir: config.dataDir,
    filesDir: folderOfFiles(config),
    filesFault: () => openFileStore(config.filesUrl, config.s3).fault(),
    isStopping: () => lifecycle.isStopping,
  });
  const metrics = createMetrics();
  metricsRoutes(app, metrics, { token: config.metricsToken, pools: { ...databases } });
  stockMetrics(metrics.registry, { db: databases.web, clock });
  return { app, lifecycle };
}
