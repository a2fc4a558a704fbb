import type { AdminInvoice } from '@counterfoil/contract/operator/billing/admin-invoices.ts';
import { type EInvoiceForm, eInvoiceForms } from '@counterfoil/contract/operator/billing/e-invoices.ts';
import { safeFileName } from '@counterfoil/domain/text/file-name.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { reportFailure } from '../../lib/error-banner.ts';
import { saveFile } from '../../lib/files/save-file.ts';
import { StatusPill } from '../../ui/data/status-pill.tsx';
import { Button } from '../../ui/fields/button.tsx';
import { Box, Loaded } from '../parts/box.tsx';
import parts from '../parts/parts.module.css';
import { t } from './messages.ts';
import { fetchEInvoice, invoiceQueries } from './queries.ts';

const endings: Readonly<Record<EInvoiceForm, string>> = { ubl: '.xml', facturX: '_factur-x.pdf' };

/** Whether an invoice can be handed out as data, and what keeps it back. */
export function EInvoiceBox({ invoice: { id, number } }: { readonly invoice: AdminInvoice }) {
  const report = useQuery(invoiceQueries.eInvoice(id));
  const [busy, setBusy] = useState<EInvoiceForm>();
  const save = async (form: EInvoiceForm) => {
    if (busy !== undefined) return;
    setBusy(form);
    await fetchEInvoice(id, form).then(
      (file) => saveFile(file, safeFileName(`invoice_${number}${endings[form]}`)),
      reportFailure,
    );
    setBusy(undefined);
  };
  return (
    <Box
      title={t('eInvoice.title')}
      aside={report.data && t(report.data.isOffered ? 'eInvoice.offered' : 'eInvoice.notOffered')}
    >
      <Loaded query={report}>
        {(data) => (
          <>
            <dl className={parts.rows}>
              {eInvoiceForms.map((form) => (
                <div key={form}>
                  <dt>{t(`eInvoice.${form}`)}</dt>
                  <dd>
                    <StatusPill
                      tone={data[form] ? 'success' : 'neutral'}
                      icon={data[form] ? 'check' : 'minus'}
                    >
                      {t(data[form] ? 'eInvoice.ready' : 'eInvoice.held')}
                    </StatusPill>{' '}
                    {data[form] && (
                      <Button
                        variant="quiet"
                        size="small"
                        aria-label={t('eInvoice.save.of', { form: t(`eInvoice.${form}`) })}
                        busy={busy === form}
                        busyLabel={t('eInvoice.saving')}
                        onClick={() => void save(form)}
                      >
                        {t('eInvoice.save')}
                      </Button>
                    )}
                  </dd>
                </div>
              ))}
            </dl>
            {data.findings.length > 0 && (
              <ul className={parts.lines} aria-label={t('eInvoice.findings')}>
                {data.findings.map(({ rule, of, text }) => (
                  <li key={`${rule} ${text}`}>
                    <div className={parts.lineText}>
                      {text}
                      <p className={parts.muted}>
                        {rule} · {t(`eInvoice.of.${of}`)}
                      </p>
                    </div>
                  </li>
                ))}
              </ul>
            )}
          </>
        )}
      </Loaded>
    </Box>
  );
}
