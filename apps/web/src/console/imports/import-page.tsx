import type { AdminImportDetail } from '@counterfoil/contract/operator/imports/admin-imports.ts';
import { isStatementFormat } from '@counterfoil/contract/operator/paying/bank-entries.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { reportFailure } from '../../lib/error-banner.ts';
import { formatMoment } from '../../lib/values/moment.ts';
import { ConfirmDialog } from '../../shared/dialogs/confirm-dialog.tsx';
import { formatNumber } from '../../text/format.ts';
import { Button, buttonClass } from '../../ui/fields/button.tsx';
import { useTitle } from '../../ui/layout/title.ts';
import { Banner } from '../../ui/overlays/banner.tsx';
import { whoActed } from '../audit/words.ts';
import { useMay } from '../operator.ts';
import { Done } from '../parts/done.tsx';
import { KeyOf } from '../parts/key.tsx';
import { OnePage } from '../parts/one-page.tsx';
import { PageTop } from '../parts/page-top.tsx';
import { consoleName } from '../shell/messages.ts';
import { useKeys } from '../shell/use-keys.ts';
import { Changes } from './changes.tsx';
import { ColumnsBox } from './columns-box.tsx';
import { formatName } from './format-name.ts';
import { ImportState } from './import-state.tsx';
import { t } from './messages.ts';
import { Quarantine } from './quarantine.tsx';
import { discardImport, importQueries, startImport, stopImport } from './queries.ts';
import { Steps } from './steps.tsx';
import { UndoDialog } from './undo-dialog.tsx';

/** One import: where it is, what it changes, and what it has set aside. */
export default function ImportPage() {
  const { id = '' } = useParams({ strict: false }) as { readonly id?: string };
  const run = useQuery(importQueries.one(id));
  useTitle(run.data?.fileName ?? t('title'), consoleName);
  return (
    <OnePage query={run} list={{ to: '/admin/imports', label: t('title') }}>
      {(data) => <Import key={id} run={data} />}
    </OnePage>
  );
}

function Import({ run }: { readonly run: AdminImportDetail }) {
  const client = useQueryClient();
  const mayImport = useMay('imports:write');
  const [asked, setAsked] = useState<'stop' | 'undo'>();
  const [acting, setActing] = useState<'start' | 'discard'>();
  const [done, setDone] = useState<string>();
  const [isPending, setPending] = useState(false);
  const { id, fileName, state } = run;
  const refresh = () => client.invalidateQueries({ queryKey: ['import', id] });
  const act = async (name: 'start' | 'discard') => {
    if (acting !== undefined) return;
    setActing(name);
    try {
      await (name === 'start' ? startImport(id) : discardImport(id));
      await refresh();
      setDone(t(`${name}.done`, { name: fileName }));
    } catch (error) {
      reportFailure(error);
    } finally {
      setActing(undefined);
    }
  };
  const isOpen = (run.columns?.questions.length ?? 0) > 0;
  const canStart = mayImport && state === 'checked' && !isOpen && !isPending;
  const canDiscard = mayImport && state === 'checked';
  const canStop = mayImport && (state === 'waiting' || state === 'running');
  const canUndo = mayImport && run.undoUntil !== null;
  const finish = async (words: string) => {
    setAsked(undefined);
    await refresh();
    setDone(words);
  };
  useKeys({ s: canStart ? () => void act('start') : undefined });
  return (
    <>
      <PageTop
        title={fileName}
        facts={factsOf(run)}
        acts={
          <>
            {isStatementFormat(run.format) && state === 'done' && (
              <Link
                to={'/admin/payments/bank' as never}
                search={{ state: 'all', import: id } as never}
                className={buttonClass({})}
              >
                {t('entries')}
              </Link>
            )}
            {mayImport && (
              <>
                {canDiscard && (
                  <Button
                    busy={acting === 'discard'}
                    busyLabel={t('discard.busy')}
                    onClick={() => void act('discard')}
                  >
                    {t('discard')}
                  </Button>
                )}
                {canStart && (
                  <Button
                    variant="primary"
                    aria-keyshortcuts="s"
                    busy={acting === 'start'}
                    busyLabel={t('start.busy')}
                    onClick={() => void act('start')}
                  >
                    {t('start')} <KeyOf>S</KeyOf>
                  </Button>
                )}
                {canStop && (
                  <Button danger onClick={() => setAsked('stop')}>
                    {t('stop')}
                  </Button>
                )}
                {canUndo && (
                  <Button danger onClick={() => setAsked('undo')}>
                    {t('undo')}
                  </Button>
                )}
              </>
            )}
          </>
        }
      />
      <Done words={done} onClose={() => setDone(undefined)} />
      <Steps run={run} />
      {run.notUndoneBecause !== null && run.created > 0 && (
        <Banner tone="info">{t('undo.not', { why: run.notUndoneBecause })}</Banner>
      )}
      {state === 'checked' && run.preview !== null && run.preview.warnings.length > 0 && (
        <Banner tone="info">
          {run.preview.warnings.slice(0, 5).map((warning) => (
            <p key={warning}>{warning}</p>
          ))}
        </Banner>
      )}
      {run.warnings.length > 0 && (
        <Banner tone="warning">
          {run.warnings.slice(0, 5).map((warning) => (
            <p key={warning}>{warning}</p>
          ))}
        </Banner>
      )}
      {run.columns !== null && (
        <ColumnsBox
          run={{ ...run, columns: run.columns }}
          mayChange={mayImport && state === 'checked'}
          onChanged={refresh}
          onPending={setPending}
        />
      )}
      <Changes run={run} />
      {(run.waiting > 0 || (state === 'done' && run.quarantined > 0)) && <Quarantine run={run} />}
      {asked === 'stop' && (
        <ConfirmDialog
          title={t('stop.title', { name: fileName })}
          act={t('stop')}
          busyAct={t('stop.busy')}
          onClose={() => setAsked(undefined)}
          onConfirm={async () => {
            const stopped = await stopImport(id);
            await finish(t('stop.done', { name: fileName, state: stopped.state }));
          }}
        >
          {t('stop.text')}
        </ConfirmDialog>
      )}
      {asked === 'undo' && (
        <UndoDialog
          run={run}
          onClose={() => setAsked(undefined)}
          onDone={() => finish(t('undo.done', { name: fileName }))}
        />
      )}
    </>
  );
}

function factsOf(run: AdminImportDetail) {
  const { day, time } = formatMoment(run.startedAt, 'UTC');
  return [
    ...(run.format === null ? [] : [formatName(run.format)]),
    ...(run.sizeBytes === null ? [] : [t('size', { kib: formatNumber(Math.ceil(run.sizeBytes / 1_024)) })]),
    ...(run.addedBy === null ? [] : [whoActed({ actor: run.addedBy, user: null })]),
    `${day} ${time}`,
    <ImportState key="state" run={run} />,
  ];
}
