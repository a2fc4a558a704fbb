import type { ComponentType } from 'react';

interface ConsolePage {
  readonly path: `/admin/${string}`;
  /** Its default export is drawn. */
  readonly page: () => Promise<{ readonly default: ComponentType }>;
}

/** Every page behind the sign-in, each in a file that is loaded when it is asked for. */
export const pages: readonly ConsolePage[] = [
  { path: '/admin/today', page: () => import('./today/today-page.tsx') },
  { path: '/admin/customers', page: () => import('./customers/customers-page.tsx') },
  { path: '/admin/customers/$id', page: () => import('./customers/customer-page.tsx') },
  { path: '/admin/invoices', page: () => import('./invoices/invoices-page.tsx') },
  { path: '/admin/invoices/$id', page: () => import('./invoices/invoice-page.tsx') },
  { path: '/admin/payments', page: () => import('./payments/payments-page.tsx') },
  { path: '/admin/payments/bank', page: () => import('./payments/bank/entries-page.tsx') },
  { path: '/admin/payments/bank/$id', page: () => import('./payments/bank/entry-page.tsx') },
  { path: '/admin/payments/$id', page: () => import('./payments/payment-page.tsx') },
  { path: '/admin/auto-pay', page: () => import('./auto-pay/runs-page.tsx') },
  { path: '/admin/auto-pay/next', page: () => import('./auto-pay/next-page.tsx') },
  { path: '/admin/auto-pay/$day', page: () => import('./auto-pay/run-page.tsx') },
  { path: '/admin/pay-links', page: () => import('./pay-links/pay-links-page.tsx') },
  { path: '/admin/brands', page: () => import('./brands/brands-page.tsx') },
  { path: '/admin/brands/$id', page: () => import('./brands/brand-page.tsx') },
  { path: '/admin/gateways', page: () => import('./gateways/gateways-page.tsx') },
  { path: '/admin/gateways/add', page: () => import('./gateways/add-page.tsx') },
  { path: '/admin/gateways/$id', page: () => import('./gateways/account-page.tsx') },
  { path: '/admin/mails', page: () => import('./mails/mails-page.tsx') },
  { path: '/admin/mails/$id', page: () => import('./mails/mail-page.tsx') },
  { path: '/admin/webhooks', page: () => import('./webhooks/webhooks-page.tsx') },
  { path: '/admin/webhooks/endpoints', page: () => import('./webhooks/outgoing/endpoints-page.tsx') },
  { path: '/admin/webhooks/endpoints/$id', page: () => import('./webhooks/outgoing/endpoint-page.tsx') },
  {
    path: '/admin/webhooks/endpoints/$id/$messageId',
    page: () => import('./webhooks/outgoing/delivery-page.tsx'),
  },
  { path: '/admin/webhooks/$id', page: () => import('./webhooks/webhook-page.tsx') },
  { path: '/admin/jobs', page: () => import('./jobs/jobs-page.tsx') },
  { path: '/admin/imports', page: () => import('./imports/imports-page.tsx') },
  { path: '/admin/imports/$id', page: () => import('./imports/import-page.tsx') },
  { path: '/admin/operators', page: () => import('./people/people-page.tsx') },
  { path: '/admin/audit', page: () => import('./audit/audit-page.tsx') },
];
