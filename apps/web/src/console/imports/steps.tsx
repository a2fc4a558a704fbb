import type { AdminImportDetail, ImportState } from '@counterfoil/contract/operator/imports/admin-imports.ts';
import { formatMoment } from '../../lib/values/moment.ts';
import { formatNumber } from '../../text/format.ts';
import { Icon, type IconName } from '../../ui/icon.tsx';
import styles from './imports.module.css';
import { t } from './messages.ts';

type Look = 'done' | 'now' | 'later' | 'never';
interface Step {
  readonly name: string;
  readonly look: Look;
  readonly fact: string;
}

const icons: Readonly<Record<Look, IconName>> = {
  done: 'check',
  now: 'retry',
  later: 'clock',
  never: 'minus',
};

const over: ReadonlySet<ImportState> = new Set(['done', 'undoing', 'undone']);

/** What is told of an import that has not begun, or never will. */
const idle = {
  checking: 'step.import.checking',
  checked: 'step.import.checked',
  waiting: 'step.import.waiting',
  failed: 'step.import.failed',
  discarded: 'step.import.discarded',
} as const;

const n = formatNumber;

function checkStep({ state, preview, rowsRead, columns }: AdminImportDetail): Step {
  const name = t('step.check');
  if (state === 'checking') return { name, look: 'now', fact: t('step.read', { rows: n(rowsRead) }) };
  if ((columns?.questions.length ?? 0) > 0) return { name, look: 'now', fact: t('step.columnsOpen') };
  if (preview === null) return { name, look: 'never', fact: t('step.notChecked') };
  return { name, look: 'done', fact: t('step.setAside', { rows: preview.quarantined }) };
}

function importStep(run: AdminImportDetail): Step {
  const { state, rowsRead, rowsMerged, created, updated, unchanged, quarantined } = run;
  const name = t('step.import');
  switch (state) {
    case 'running':
      return { name, look: 'now', fact: t('step.merged', { merged: n(rowsMerged), read: n(rowsRead) }) };
    case 'stopping':
      return { name, look: 'now', fact: t('step.stopping', { merged: n(rowsMerged) }) };
    case 'stopped':
      return { name, look: 'never', fact: t('step.stopped', { rows: created + updated + unchanged }) };
    case 'done':
    case 'undoing':
    case 'undone':
      return { name, look: 'done', fact: t('step.in', { rows: created + updated + unchanged, quarantined }) };
    default: {
      const isFirst = state === 'checked' || state === 'checking';
      return { name, look: state === 'waiting' ? 'now' : isFirst ? 'later' : 'never', fact: t(idle[state]) };
    }
  }
}

function undoStep({ state, undoUntil, undone }: AdminImportDetail): Step {
  const name = t('step.undo');
  if (state === 'undone') return { name, look: 'done', fact: t('step.undone', { rows: undone }) };
  if (state === 'undoing') return { name, look: 'now', fact: t('step.undone', { rows: undone }) };
  if (undoUntil === null) {
    const isBefore = ['checking', 'checked', 'waiting', 'running', 'stopping'].includes(state);
    return { name, look: isBefore ? 'later' : 'never', fact: t(isBefore ? 'step.undoLater' : 'step.noUndo') };
  }
  return { name, look: 'later', fact: t('step.undoUntil', { day: formatMoment(undoUntil, 'UTC').day }) };
}

/** How much of it is done, from 0 to 1; undefined where that is not known. */
function shareOf({ state, preview, rowsMerged, rowsRead }: AdminImportDetail): number | undefined {
  if (over.has(state)) return 1;
  const of = preview === null ? rowsRead : preview.created + preview.updated + preview.unchanged;
  return (state === 'running' || state === 'stopping') && of > 0 ? Math.min(rowsMerged / of, 1) : undefined;
}

/** Where an import is: looked at, imported, and until when it can be undone. */
export function Steps({ run }: { readonly run: AdminImportDetail }) {
  const share = shareOf(run);
  return (
    <div className={styles.steps}>
      <ol>
        {[checkStep(run), importStep(run), undoStep(run)].map(({ name, look, fact }) => (
          <li key={name} data-look={look} aria-current={look === 'now' ? 'step' : undefined}>
            <p className={styles.stepName}>
              <Icon name={icons[look]} />
              {name}
            </p>
            <p>{fact}</p>
          </li>
        ))}
      </ol>
      {share !== undefined && (
        <progress className={styles.bar} value={share} max={1} aria-label={t('step.import')} />
      )}
    </div>
  );
}
