import * as z from 'zod/mini';
import { said } from '../parts.ts';

/** What an invoice is handed out as: UBL 2.1 (Peppol BIS Billing 3), or a PDF with CII inside (Factur-X). */
export const eInvoiceForms = ['ubl', 'facturX'] as const;
export type EInvoiceForm = (typeof eInvoiceForms)[number];

const finding = z.object({
  rule: said(
    z.string(),
    'Its name in the published rules, such as `BR-S-02` or `PEPPOL-EN16931-R010`; `ownDocument`: the provider’s own PDF is kept.',
  ),
  of: said(
    z.enum(['en16931', 'peppol', 'facturX']),
    '`peppol`: only UBL needs it; `facturX`: only Factur-X does.',
  ),
  text: said(z.string(), 'What is missing or wrong, and where it is set.'),
});

/** Answer of `GET /v1/admin/invoices/{id}/e-invoice`. */
export const eInvoiceReport = z
  .object({
    isOffered: said(z.boolean(), 'The brand offers e-invoices (setting `eInvoice.isOffered`).'),
    ubl: said(z.boolean(), 'It keeps to the rules of EN 16931 and Peppol BIS Billing 3.'),
    facturX: said(
      z.boolean(),
      'It keeps to the rules of EN 16931, and its PDF is the one that is made here.',
    ),
    findings: said(z.array(finding), 'What keeps it from being handed out.'),
  })
  .check(
    z.meta({
      examples: [
        {
          isOffered: true,
          ubl: false,
          facturX: true,
          findings: [
            {
              rule: 'PEPPOL-EN16931-R010',
              of: 'peppol',
              text: 'The buyer’s electronic address is missing (what the customer is known by: endpoint)',
            },
          ],
        },
      ],
    }),
  );
export type EInvoiceReport = z.infer<typeof eInvoiceReport>;

/** Answer of `GET /v1/ec/invoice/{id}/e-invoices`: what the customer may download. */
export const offeredEInvoices = z.array(z.enum(eInvoiceForms));
