import type { OperatorSso, OperatorSsoTested } from '@counterfoil/contract/operator/access/operator-sso.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { reportFailure } from '../../lib/error-banner.ts';
import { StatusPill } from '../../ui/data/status-pill.tsx';
import { Button } from '../../ui/fields/button.tsx';
import { CopyButton } from '../../ui/fields/copy-button.tsx';
import { useOperator } from '../operator.ts';
import { Box, Loaded } from '../parts/box.tsx';
import { Done } from '../parts/done.tsx';
import parts from '../parts/parts.module.css';
import { useWhose } from './fields.tsx';
import styles from './people.module.css';
import { RemoveSsoDialog, SsoDialog, SsoTestDialog } from './sso-dialogs.tsx';
import { t } from './sso-messages.ts';
import { ssoQuery, testSso } from './sso-queries.ts';

interface Asked {
  readonly act: 'set' | 'remove';
  readonly row?: OperatorSso;
}

/** Single sign-on of operators: of every reseller, and of each that has its own. */
export function SingleSignOn() {
  const list = useQuery(ssoQuery());
  const client = useQueryClient();
  const whose = useWhose();
  const { resellerId: own } = useOperator();
  const [asked, setAsked] = useState<Asked>();
  const [done, setDone] = useState<string>();
  const [testing, setTesting] = useState<string>();
  const [tested, setTested] = useState<{ readonly name: string; readonly found: OperatorSsoTested }>();
  const finish = async (words: string) => {
    await client.invalidateQueries({ queryKey: ['people', 'sso'] });
    setAsked(undefined);
    setDone(words);
  };
  const test = async ({ name, resellerId }: OperatorSso) => {
    setTesting(name);
    try {
      setTested({ name, found: await testSso(resellerId) });
    } catch (error) {
      reportFailure(error);
    } finally {
      setTesting(undefined);
    }
  };
  const close = () => setAsked(undefined);
  return (
    <div className={styles.panel}>
      {(own === null || list.data?.settings.length === 0) && (
        <div className={styles.panelTop}>
          <Button variant="primary" onClick={() => setAsked({ act: 'set' })}>
            {t('sso.add')}
          </Button>
        </div>
      )}
      <Done words={done} onClose={() => setDone(undefined)} />
      <Loaded query={list} height="12rem">
        {({ redirectUri, settings }) => (
          <Box title={t('sso.title')}>
            <div className={styles.panel}>
              <p className={styles.muted}>{t('sso.about')}</p>
              <div className={parts.secret}>
                <p>{t('sso.address')}</p>
                <code>{redirectUri}</code>
                <CopyButton text={redirectUri} label={t('sso.copy')} copied={t('sso.copied')} />
              </div>
              {settings.length === 0 ? (
                <p>{t('sso.none')}</p>
              ) : (
                <ul className={parts.lines} aria-label={t('sso.title')}>
                  {settings.map((row) => (
                    <li key={row.resellerId}>
                      <div className={parts.lineText}>
                        <b className={parts.strong}>{row.name}</b>
                        <p>{[whose(row.resellerId), row.issuer].join(', ')}</p>
                        <p>{t('sso.people', { count: row.people })}</p>
                      </div>
                      <div className={parts.lineEnd}>
                        <StatusPill
                          tone={row.isDemanded ? 'success' : 'neutral'}
                          icon={row.isDemanded ? 'lock' : 'check'}
                        >
                          {t(row.isDemanded ? 'sso.demanded' : 'sso.offered')}
                        </StatusPill>
                        <Button
                          size="small"
                          busy={testing === row.name}
                          busyLabel={t('sso.test.busy')}
                          aria-label={t('sso.test.name', { name: row.name })}
                          onClick={() => void test(row)}
                        >
                          {t('sso.test')}
                        </Button>
                        <Button
                          size="small"
                          aria-label={t('sso.change.name', { name: row.name })}
                          onClick={() => setAsked({ act: 'set', row })}
                        >
                          {t('sso.change')}
                        </Button>
                        <Button
                          size="small"
                          aria-label={t('sso.remove.name', { name: row.name })}
                          onClick={() => setAsked({ act: 'remove', row })}
                        >
                          {t('sso.remove')}
                        </Button>
                      </div>
                    </li>
                  ))}
                </ul>
              )}
            </div>
          </Box>
        )}
      </Loaded>
      {asked?.act === 'set' && <SsoDialog row={asked.row} onDone={finish} onClose={close} />}
      {asked?.act === 'remove' && asked.row !== undefined && (
        <RemoveSsoDialog row={asked.row} onDone={finish} onClose={close} />
      )}
      {tested !== undefined && (
        <SsoTestDialog name={tested.name} tested={tested.found} onClose={() => setTested(undefined)} />
      )}
    </div>
  );
}
