import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../lib/api/api-error.ts';
import { reportFailure } from '../../lib/error-banner.ts';
import { t } from './messages.ts';
import { undoChange } from './queries.ts';

/** What came of an undo, or of a change that can be undone. */
export interface Notice {
  readonly tone: 'success' | 'danger';
  readonly text: string;
  /** The change that its Undo takes back. */
  readonly undo?: string | undefined;
}

/** Takes changes back, one at a time. @param onDone is told what came of it */
export function useUndo(onDone: (notice: Notice) => void) {
  const client = useQueryClient();
  /** The change under way. */
  const [undoing, setUndoing] = useState<string>();
  const undo = async (id: string) => {
    if (undoing !== undefined) return;
    setUndoing(id);
    try {
      const { changed, skipped } = await undoChange(client, id);
      const left = skipped > 0 ? ` ${t('undo.skipped', { count: skipped })}` : '';
      onDone({ tone: 'success', text: t('undo.done', { count: changed }) + left });
    } catch (error) {
      const isRefusal = error instanceof ApiError && error.status >= 400 && error.status < 500;
      if (!isRefusal) reportFailure(error);
      onDone({ tone: 'danger', text: isRefusal ? error.message : t('undo.failed') });
    } finally {
      setUndoing(undefined);
    }
  };
  return { undoing, undo: (id: string) => void undo(id) };
}
