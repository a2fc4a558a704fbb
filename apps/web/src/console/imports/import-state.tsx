import type {
  AdminImport,
  ImportState as State,
} from '@counterfoil/contract/operator/imports/admin-imports.ts';
import { StatusPill } from '../../ui/data/status-pill.tsx';
import type { IconName } from '../../ui/icon.tsx';
import { t } from './messages.ts';

type Tone = 'success' | 'danger' | 'info' | 'warning' | 'neutral';

const looks: Readonly<Record<State, readonly [Tone, IconName]>> = {
  checking: ['info', 'search'],
  checked: ['warning', 'clock'],
  waiting: ['info', 'clock'],
  running: ['info', 'retry'],
  stopping: ['warning', 'clock'],
  stopped: ['neutral', 'minus'],
  done: ['success', 'check'],
  failed: ['danger', 'alert'],
  undoing: ['info', 'undo'],
  undone: ['neutral', 'undo'],
  discarded: ['neutral', 'close'],
};

/** Where an import stands, in an icon and words; what it has set aside counts more than that it is done. */
export function ImportState({ run: { state, waiting } }: { readonly run: AdminImport }) {
  const [tone, icon] = looks[state];
  if (state === 'done' && waiting > 0)
    return (
      <StatusPill tone="warning" icon="alert">
        {t('state.setAside', { waiting })}
      </StatusPill>
    );
  return (
    <StatusPill tone={tone} icon={icon}>
      {t(`state.${state}`)}
    </StatusPill>
  );
}
