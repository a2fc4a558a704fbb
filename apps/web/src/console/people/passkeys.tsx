import type { Passkey } from '@counterfoil/contract/people/passkeys.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../lib/api/api-error.ts';
import { reportFailure } from '../../lib/error-banner.ts';
import { hasPasskeys, whyNot } from '../../lib/passkeys.ts';
import { formatMoment } from '../../lib/values/moment.ts';
import { Button } from '../../ui/fields/button.tsx';
import { Banner } from '../../ui/overlays/banner.tsx';
import { Box, Loaded } from '../parts/box.tsx';
import { Done } from '../parts/done.tsx';
import parts from '../parts/parts.module.css';
import { t } from './messages.ts';
import { ProveDialog, RemovePasskeyDialog, RenamePasskeyDialog } from './passkey-dialogs.tsx';
import styles from './people.module.css';
import { finishPasskey, peopleQueries, startPasskey } from './queries.ts';

/** An operator's own passkeys: which there are, and one more or less. */
export function Passkeys() {
  const list = useQuery(peopleQueries.passkeys());
  const client = useQueryClient();
  const [asked, setAsked] = useState<{ readonly act: 'rename' | 'remove'; readonly row: Passkey }>();
  const [done, setDone] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const finish = async (words: string) => {
    await client.invalidateQueries({ queryKey: ['people', 'passkeys'] });
    setAsked(undefined);
    setDone(words);
  };
  const close = () => setAsked(undefined);
  return (
    <>
      <Done words={done} onClose={() => setDone(undefined)} />
      <Box
        title={t('passkeys.title')}
        aside={
          hasPasskeys() && (
            <AddPasskey
              onStart={() => {
                setDone(undefined);
                setProblem(undefined);
              }}
              onProblem={setProblem}
              onAdded={({ name }) => finish(t('passkey.add.done', { name }))}
            />
          )
        }
      >
        {problem !== undefined && (
          <Banner tone="warning" onClose={() => setProblem(undefined)}>
            {problem}
          </Banner>
        )}
        <p className={styles.muted}>
          {hasPasskeys()
            ? t('passkeys.about', { host: globalThis.location.hostname })
            : t('passkeys.unsupported')}
        </p>
        <Loaded query={list}>
          {(rows) =>
            rows.length === 0 ? (
              <p>{t('passkeys.none')}</p>
            ) : (
              <ul className={parts.lines} aria-label={t('passkeys.title')}>
                {rows.map((row) => (
                  <li key={row.id}>
                    <div className={parts.lineText}>
                      <b className={parts.strong}>{row.name}</b>
                      <p>{factsOf(row)}</p>
                    </div>
                    <div className={parts.lineEnd}>
                      {(['rename', 'remove'] as const).map((act) => (
                        <Button
                          key={act}
                          size="small"
                          aria-label={t(`passkey.${act}.name`, { name: row.name })}
                          onClick={() => setAsked({ act, row })}
                        >
                          {t(`passkey.${act}`)}
                        </Button>
                      ))}
                    </div>
                  </li>
                ))}
              </ul>
            )
          }
        </Loaded>
      </Box>
      {asked?.act === 'rename' && <RenamePasskeyDialog row={asked.row} onDone={finish} onClose={close} />}
      {asked?.act === 'remove' && <RemovePasskeyDialog row={asked.row} onDone={finish} onClose={close} />}
    </>
  );
}

const momentOf = (at: string): string => Object.values(formatMoment(at, 'UTC')).join(' ');

function factsOf({ createdAt, lastUsedAt, host }: Passkey): string {
  const used = lastUsedAt === null ? t('passkey.unused') : t('passkey.used', { at: momentOf(lastUsedAt) });
  const facts = t('passkey.facts', { added: momentOf(createdAt), used });
  return host === globalThis.location.hostname ? facts : `${facts}. ${t('passkey.at', { host })}`;
}

interface AddPasskeyProps {
  /** An attempt begins: what is said of an earlier one is over. */
  readonly onStart: () => void;
  readonly onProblem: (words: string) => void;
  readonly onAdded: (passkey: Passkey) => Promise<void>;
}

/** The button that adds one; it asks for the code first where the sign-in was a while ago. */
function AddPasskey({ onStart, onProblem, onAdded }: AddPasskeyProps) {
  const [proving, setProving] = useState(false);
  const [busy, setBusy] = useState(false);
  const attempt = async (proof: Parameters<typeof startPasskey>[0]) => {
    setBusy(true);
    onStart();
    try {
      await onAdded(await finishPasskey(await startPasskey(proof)));
    } catch (error) {
      if (error instanceof ApiError && error.code === 'operator.codeNeeded') return setProving(true);
      const why = whyNot(error);
      if (why !== undefined) onProblem(t(`passkey.add.${why === 'superseded' ? 'cancelled' : why}`));
      else if (error instanceof ApiError && error.status < 500) onProblem(error.message);
      else reportFailure(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Button size="small" busy={busy} busyLabel={t('passkey.add.busy')} onClick={() => void attempt({})}>
        {t('passkey.add')}
      </Button>
      {proving && (
        <ProveDialog
          onClose={() => setProving(false)}
          onProof={(code) => {
            setProving(false);
            return attempt({ code });
          }}
        />
      )}
    </>
  );
}
