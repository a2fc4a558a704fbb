import type { OperatorPlace } from '@counterfoil/contract/operator/access/operators.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { reportFailure } from '../../lib/error-banner.ts';
import { formatMoment } from '../../lib/values/moment.ts';
import { StatusPill } from '../../ui/data/status-pill.tsx';
import { Button } from '../../ui/fields/button.tsx';
import { Box, Loaded } from '../parts/box.tsx';
import { Done } from '../parts/done.tsx';
import parts from '../parts/parts.module.css';
import { t } from './messages.ts';
import { endSession, peopleQueries } from './queries.ts';

const deviceOf = ({ browser, system }: OperatorPlace): string =>
  [browser, system].filter((name) => name !== null).join(', ') || t('session.unknown');

/** Where the operator is signed in, and a way to end what is not this session. */
export function Sessions() {
  const list = useQuery(peopleQueries.sessions());
  const client = useQueryClient();
  const [done, setDone] = useState<string>();
  const [busy, setBusy] = useState<string>();
  const others = list.data?.filter(({ current }) => !current) ?? [];
  const end = async (which: string, sessions: readonly OperatorPlace[]) => {
    setBusy(which);
    try {
      for (const { id } of sessions) await endSession(id);
      await client.invalidateQueries({ queryKey: ['people', 'sessions'] });
      setDone(t('session.end.done'));
    } catch (error) {
      reportFailure(error);
    } finally {
      setBusy(undefined);
    }
  };
  return (
    <>
      <Done words={done} onClose={() => setDone(undefined)} />
      <Box
        title={t('sessions.title')}
        aside={
          others.length > 1 && (
            <Button
              size="small"
              busy={busy === 'all'}
              busyLabel={t('session.end.busy')}
              onClick={() => void end('all', others)}
            >
              {t('sessions.endAll')}
            </Button>
          )
        }
      >
        <Loaded query={list}>
          {(rows) => (
            <ul className={parts.lines} aria-label={t('sessions.title')}>
              {rows.map((row) => (
                <li key={row.id}>
                  <div className={parts.lineText}>
                    <b className={parts.strong}>{deviceOf(row)}</b>
                    <p>
                      {t('session.facts', {
                        address: row.address,
                        how: t(`how.${row.method}`),
                        at: Object.values(formatMoment(row.lastUsedAt, 'UTC')).join(' '),
                      })}
                    </p>
                  </div>
                  <div className={parts.lineEnd}>
                    {row.current ? (
                      <StatusPill tone="success" icon="check">
                        {t('session.current')}
                      </StatusPill>
                    ) : (
                      <Button
                        size="small"
                        busy={busy === row.id}
                        busyLabel={t('session.end.busy')}
                        aria-label={t('session.end.name', { device: deviceOf(row) })}
                        onClick={() => void end(row.id, [row])}
                      >
                        {t('session.end')}
                      </Button>
                    )}
                  </div>
                </li>
              ))}
            </ul>
          )}
        </Loaded>
      </Box>
    </>
  );
}
