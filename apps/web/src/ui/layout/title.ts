import { useEffect } from 'react';
import { t } from '../../text/common.ts';

let named = '';
/** Forms that show what is wrong with them. */
let failed = 0;

function write(): void {
  document.title = failed > 0 ? t('title.error', { title: named }) : named;
}

/**
 * Sets the document's title: 'Invoices – Northline Telecom'. Not React's `<title>`: the server already wrote one
 * into the page, and the first in the document counts.
 */
export function useTitle(page: string, brandName: string): void {
  useEffect(() => {
    named = brandName === '' ? page : `${page} – ${brandName}`;
    write();
  }, [page, brandName]);
}

/** The title begins with 'Error: ' for as long as a form says what is wrong with it. */
export function useErrorTitle(isFailed: boolean): void {
  useEffect(() => {
    if (!isFailed) return;
    failed += 1;
    write();
    return () => {
      failed -= 1;
      write();
    };
  }, [isFailed]);
}
