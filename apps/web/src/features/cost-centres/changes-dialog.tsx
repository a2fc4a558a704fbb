import type { CostCentreChange } from '@counterfoil/contract/cost-centres.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { requestIdOf } from '../../lib/api/api-error.ts';
import { formatMoment } from '../../lib/values/moment.ts';
import { t as common } from '../../text/common.ts';
import { Entry, EntryList } from '../../ui/data/entry-list.tsx';
import { StatusPill } from '../../ui/data/status-pill.tsx';
import { Button } from '../../ui/fields/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { EmptyState, SectionError } from '../../ui/layout/section-state.tsx';
import { LoadingNote, Skeleton } from '../../ui/layout/skeleton.tsx';
import { Banner } from '../../ui/overlays/banner.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { t } from './messages.ts';
import { costCentreQueries } from './queries.ts';
import { type Notice, useUndo } from './use-undo.ts';

const wordsOf = ({ items, costCentre }: CostCentreChange): string =>
  costCentre === null ? t('changes.mixed', { count: items }) : t('changes.set', { count: items, costCentre });

/** The latest changes, by whom and when; each can be taken back. */
export function ChangesDialog({ onClose }: { readonly onClose: () => void }) {
  const changes = useQuery(costCentreQueries.changes());
  const [notice, setNotice] = useState<Notice>();
  const { undoing, undo } = useUndo(setNotice);
  const { data } = changes;
  return (
    <Dialog
      title={t('changes')}
      open
      wide
      onClose={onClose}
      actions={<Button onClick={onClose}>{common('action.close')}</Button>}
    >
      {notice && <Banner tone={notice.tone}>{notice.text}</Banner>}
      {data === undefined ? (
        changes.isError ? (
          <SectionError requestId={requestIdOf(changes.error)} onRetry={() => void changes.refetch()} />
        ) : (
          <>
            <LoadingNote />
            <Skeleton width="100%" height="8rem" />
          </>
        )
      ) : data.length === 0 ? (
        <EmptyState icon="undo" title={t('changes.none')}>
          {t('changes.noneWhy')}
        </EmptyState>
      ) : (
        <EntryList label={t('changes')}>
          {data.map((change) => (
            <Entry
              key={change.id}
              icon={<Icon name="undo" />}
              title={wordsOf(change)}
              mark={!change.canUndo && <StatusPill tone="outline">{t('changes.undone')}</StatusPill>}
              facts={[t('changes.facts', { by: change.by, ...formatMoment(change.at) })]}
              actions={
                change.canUndo && (
                  <Button
                    size="small"
                    aria-label={t('changes.undoOf', { change: wordsOf(change) })}
                    busy={undoing === change.id}
                    busyLabel={t('undoing')}
                    onClick={() => undo(change.id)}
                  >
                    {t('undo')}
                  </Button>
                )
              }
            />
          ))}
        </EntryList>
      )}
    </Dialog>
  );
}
