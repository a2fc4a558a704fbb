import { Tabs } from '../../ui/layout/tabs.tsx';
import { useTitle } from '../../ui/layout/title.ts';
import { useUrlChoice } from '../../ui/layout/use-url-choice.ts';
import { useOperator } from '../operator.ts';
import { PageTop } from '../parts/page-top.tsx';
import { consoleName } from '../shell/messages.ts';
import { Keys } from './keys.tsx';
import { t } from './messages.ts';
import { Operators } from './operators.tsx';
import { Passkeys } from './passkeys.tsx';
import styles from './people.module.css';
import { Sessions } from './sessions.tsx';
import { SingleSignOn } from './sso.tsx';

/** Operators and API keys, which owners see alone, and everybody's own passkeys and sessions. */
export default function PeoplePage() {
  const isOwner = useOperator().role === 'owner';
  useTitle(t('title'), consoleName);
  return (
    <>
      <PageTop title={t('title')} facts={[t('about')]} />
      {isOwner ? <OwnersTabs /> : <OwnSignIn />}
    </>
  );
}

function OwnersTabs() {
  const [tab, setTab] = useUrlChoice('tab', ['operators', 'keys', 'sso', 'sessions']);
  return (
    <Tabs
      label={t('tabs')}
      selected={tab}
      onSelect={setTab}
      tabs={[
        { id: 'operators', label: t('tab.operators'), content: <Operators /> },
        { id: 'keys', label: t('tab.keys'), content: <Keys /> },
        { id: 'sso', label: t('tab.sso'), content: <SingleSignOn /> },
        { id: 'sessions', label: t('tab.sessions'), content: <OwnSignIn /> },
      ]}
    />
  );
}

const OwnSignIn = () => (
  <div className={styles.panel}>
    <Passkeys />
    <Sessions />
  </div>
);
