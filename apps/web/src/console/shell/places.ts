import type { ApiScope } from '@counterfoil/contract/operator/access/api-keys.ts';

/** Where one can go, in the order of the side; the key goes there after G, and the role must have the scope. */
export const places = [
  {
    key: 't',
    path: '/admin/today',
    label: 'nav.today',
    scope: 'today:read',
    drawing: 'M2.500 3.500h11v10h-11zM2.500 6.500h11M5.500 2v3M10.500 2v3',
  },
  {
    key: 'c',
    path: '/admin/customers',
    label: 'nav.customers',
    scope: 'customers:read',
    drawing:
      'M8.500 5.500a2.500 2.500 0 1 1-5 0a2.500 2.500 0 0 1 5 0M1.500 13.500c.4-2.800 2.200-4 4.500-4s4.100 1.200 4.500 4M10.500 3.200a2.500 2.500 0 0 1 0 4.600M12 9.800c1.500.6 2.300 1.900 2.500 3.700',
  },
  {
    key: 'i',
    path: '/admin/invoices',
    label: 'nav.invoices',
    scope: 'invoices:read',
    drawing:
      'M3.500 1.800h9v12.400l-1.800-1.200-1.500 1.200-1.200-1.200-1.200 1.200-1.500-1.200-1.800 1.200zM5.800 5h4.400M5.800 7.800h4.400',
  },
  {
    key: 'p',
    path: '/admin/payments',
    label: 'nav.payments',
    scope: 'payments:read',
    drawing:
      'M3 3.500h10a1.500 1.500 0 0 1 1.500 1.500v6a1.500 1.500 0 0 1-1.500 1.500H3a1.500 1.500 0 0 1-1.500-1.500V5A1.500 1.500 0 0 1 3 3.500M1.500 6.500h13M4 10h2.500',
  },
  {
    key: 'y',
    path: '/admin/auto-pay',
    label: 'nav.autoPay',
    scope: 'payments:read',
    drawing:
      'M2.5 8a5.5 5.5 0 0 1 9.7-3.5L13.500 6M13.500 2.800V6h-3.200M13.500 8a5.500 5.500 0 0 1-9.700 3.500L2.500 10M2.500 13.200V10h3.200',
  },
  {
    key: 'l',
    path: '/admin/pay-links',
    label: 'nav.payLinks',
    scope: 'invoices:read',
    drawing:
      'M6.500 9.500a2.800 2.800 0 0 0 4 0l2.500-2.500a2.800 2.800 0 0 0-4-4l-.8.8M9.500 6.500a2.800 2.800 0 0 0-4 0L3 9a2.800 2.800 0 0 0 4 4l.8-.8',
  },
  {
    key: 'm',
    path: '/admin/imports',
    label: 'nav.imports',
    scope: 'imports:read',
    drawing: 'M2 9.500h3.500l1 2h3l1-2H14M3.500 3.500h9L14 9.500v3H2v-3zM8 1.500v4.500M6 4.500l2 2 2-2',
  },
  {
    key: 'e',
    path: '/admin/mails',
    label: 'nav.mails',
    scope: 'mails:read',
    drawing:
      'M2.800 3.500h10.400a1 1 0 0 1 1 1v7a1 1 0 0 1-1 1H2.800a1 1 0 0 1-1-1v-7a1 1 0 0 1 1-1M2.200 4.200 8 8.800l5.800-4.600',
  },
  {
    key: 'w',
    path: '/admin/webhooks',
    label: 'nav.webhooks',
    scope: 'webhooks:read',
    drawing:
      'M6 11.500a2 2 0 1 1-4 0a2 2 0 0 1 4 0M14 11.500a2 2 0 1 1-4 0a2 2 0 0 1 4 0M10 4a2 2 0 1 1-4 0a2 2 0 0 1 4 0M6 11.500h4M7 5.800 5 9.700M9 5.800l2 3.900',
  },
  {
    key: 'j',
    path: '/admin/jobs',
    label: 'nav.jobs',
    scope: 'jobs:read',
    drawing: 'M13.800 8a5.800 5.800 0 1 1-11.600 0a5.800 5.800 0 0 1 11.600 0M8 4.800V8l2.200 1.500',
  },
  {
    key: 'a',
    path: '/admin/audit',
    label: 'nav.audit',
    scope: 'audit:read',
    drawing: 'M5.500 4h8M5.500 8h8M5.500 12h8M2.500 4h.01M2.500 8h.01M2.500 12h.01',
  },
  {
    key: 'b',
    path: '/admin/brands',
    label: 'nav.brands',
    scope: 'brands:read',
    drawing:
      'M2.500 13.500c2.500 0 3.500-1 3.500-2.500a1.800 1.800 0 0 0-2-1.800c-1.300 0-1.500 2-1.500 4.300zM6 9.500 12.300 2.700c.6-.6 1.600.4 1 1L7 10.300',
  },
  {
    key: 'g',
    path: '/admin/gateways',
    label: 'nav.gateways',
    scope: 'gateways:read',
    drawing: 'M2 6.2 8 2.800l6 3.400M3 13.200h10M4.200 6.800v4.600M8 6.800v4.600M11.800 6.800v4.600',
  },
  {
    key: 'o',
    path: '/admin/operators',
    label: 'nav.operators',
    scope: 'audit:read',
    drawing:
      'M9.500 5.500a3.500 3.500 0 1 1-7 0a3.500 3.500 0 0 1 7 0M8.500 8l5.500 5.500M12 11.500l1.500-1.500M10.200 9.700l1.300-1.300',
  },
] as const satisfies readonly { readonly scope: ApiScope; readonly [name: string]: string }[];

/** What is the whole installation's: an operator of one reseller has no business there. */
export const placesOfInstallation: ReadonlySet<string> = new Set(['/admin/jobs']);

/** Whether an address of the console leads to one of the places. */
export const hasPlace = (path: string): boolean =>
  places.some(
    (place) => path === place.path || path.startsWith(`${place.path}/`) || path.startsWith(`${place.path}?`),
  );
