import { safeFileName } from '@counterfoil/domain/text/file-name.ts';
import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../../lib/api/api-error.ts';
import { CsvButton } from '../../lib/csv/csv-button.tsx';
import { reportFailure } from '../../lib/error-banner.ts';
import { saveFile } from '../../lib/files/save-file.ts';
import { Button } from '../../ui/fields/button.tsx';
import { t } from './messages.ts';
import { fetchUsage, type PageRequest, refusalOf } from './queries.ts';
import type { UsageFilter } from './usage-filter.ts';

interface DownloadUsageProps {
  /** Undefined: nothing to ask for. */
  readonly filter: UsageFilter | undefined;
  readonly sort: Pick<PageRequest, 'order' | 'orderDirection'>;
  /** The chosen service's, or the word for all. */
  readonly serviceName: string;
  /** The server's words for a refusal; undefined when a new try begins. */
  readonly onRefused: (reason: string | undefined) => void;
}

/** Saves all records of the filter in the order of the screen. A long one can be given up. */
export function DownloadUsage({ filter, sort, serviceName, onRefused }: DownloadUsageProps) {
  const running = useRef<AbortController>(undefined);
  const [isBusy, setBusy] = useState(false);
  useEffect(() => () => running.current?.abort(), []);
  const download = async (byteOrderMark: boolean): Promise<void> => {
    if (filter === undefined || running.current !== undefined) return;
    const abort = new AbortController();
    running.current = abort;
    setBusy(true);
    onRefused(undefined);
    try {
      const file = await fetchUsage(filter, sort, { byteOrderMark, signal: abort.signal });
      saveFile(file, safeFileName(t('download.file', { service: serviceName })));
    } catch (error) {
      if (abort.signal.aborted) return;
      const reason = refusalOf(error);
      if (reason !== undefined) onRefused(reason);
      else
        reportFailure(
          error instanceof ApiError ? error : new Error('The download broke off', { cause: error }),
        );
    } finally {
      running.current = undefined;
      setBusy(false);
    }
  };
  return (
    <>
      {isBusy && (
        <Button variant="quiet" onClick={() => running.current?.abort()}>
          {t('download.cancel')}
        </Button>
      )}
      <CsvButton
        disabled={filter === undefined}
        busy={isBusy}
        busyLabel={t('downloading')}
        onDownload={(byteOrderMark) => void download(byteOrderMark)}
      >
        {t('download')}
      </CsvButton>
    </>
  );
}
