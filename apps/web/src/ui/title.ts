import { useEffect } from 'react';

/**
 * Sets the document's title: 'Invoices – Northline Telecom'. Not React's `<title>`: the server already wrote one
 * into the page, and the first in the document counts.
 */
export function useTitle(page: string, brandName: string): void {
  useEffect(() => {
    document.title = brandName === '' ? page : `${page} – ${brandName}`;
  }, [page, brandName]);
}
