import type { GatewayAccountDetail } from '@counterfoil/contract/operator/running/admin-gateways.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { isPreconditionFailed } from '../../lib/api/console-api.ts';
import { reportFailure } from '../../lib/error-banner.ts';
import { formatMoment } from '../../lib/values/moment.ts';
import { ConfirmDialog } from '../../shared/dialogs/confirm-dialog.tsx';
import { Button } from '../../ui/fields/button.tsx';
import { useTitle } from '../../ui/layout/title.ts';
import { Banner } from '../../ui/overlays/banner.tsx';
import { Outcome } from '../../ui/overlays/outcome.tsx';
import { useMay } from '../operator.ts';
import { Box, Loaded } from '../parts/box.tsx';
import { OnePage } from '../parts/one-page.tsx';
import { PageTop } from '../parts/page-top.tsx';
import parts from '../parts/parts.module.css';
import { consoleName } from '../shell/messages.ts';
import { Addresses } from './addresses.tsx';
import { GatewayState } from './gateway-state.tsx';
import { t } from './messages.ts';
import { checkGateway, gatewayQueries, setGateway, setInUse } from './queries.ts';
import { SettingsForm } from './settings-form.tsx';
import { Verification } from './verification.tsx';

/** One gateway account: its settings, whether it works, what to enter at the provider, and its verification. */
export default function GatewayAccountPage() {
  const { id = '' } = useParams({ strict: false }) as { readonly id?: string };
  const account = useQuery(gatewayQueries.one(id));
  useTitle(account.data?.data.name ?? t('one.title'), consoleName);
  return (
    <OnePage query={account} list={{ to: '/admin/gateways', label: t('title') }}>
      {({ data, state }) => <Account key={id} account={data} version={state} />}
    </OnePage>
  );
}

interface Said {
  readonly tone: 'success' | 'danger' | 'warning';
  readonly words: string;
}

interface AccountProps {
  readonly account: GatewayAccountDetail;
  /** Of what was read; a change names it. */
  readonly version: string;
}

function Account({ account, version }: AccountProps) {
  const client = useQueryClient();
  const mayChange = useMay('gateways:write');
  const [said, setSaid] = useState<Said>();
  const { id, name, state, brands, keyMode, createdAt, elsewhere } = account;
  const finish = async (done: Said) => {
    await client.invalidateQueries({ queryKey: ['gateways'] });
    setSaid(done);
  };
  return (
    <>
      <PageTop
        title={name}
        facts={[
          <GatewayState key="state" state={state} />,
          ...(brands.length === 0 ? [] : [brands.map((brand) => brand.name).join(', ')]),
          t(`mode.${keyMode}`),
          t('one.since', { day: formatMoment(createdAt, 'UTC').day }),
        ]}
        acts={mayChange && <Acts account={account} onDone={finish} />}
      />
      {said !== undefined && (
        <Outcome key={said.words} tone={said.tone} onClose={() => setSaid(undefined)}>
          {said.words}
        </Outcome>
      )}
      {elsewhere !== null && <Banner tone="info">{t('elsewhere', { address: elsewhere })}</Banner>}
      <div className={parts.split}>
        <div className={parts.stack}>
          <Settings
            account={account}
            version={version}
            mayChange={mayChange && state !== 'outOfUse'}
            onDone={finish}
          />
          <Verification id={id} keyMode={keyMode} mayBegin={mayChange} gateway={account.gateway} />
        </div>
        <div className={parts.stack}>
          <Addresses addresses={account.addresses} />
        </div>
      </div>
    </>
  );
}

interface ActsProps {
  readonly account: GatewayAccountDetail;
  readonly onDone: (done: Said) => Promise<void>;
}

/** Asks the gateway about the keys, and takes the account into use or out of it. */
function Acts({ account: { id, name, state }, onDone }: ActsProps) {
  const [isAsking, setAsking] = useState(false);
  const [asked, setAsked] = useState<'enable' | 'disable'>();
  const ask = async () => {
    setAsking(true);
    try {
      const { is, message } = await checkGateway(id);
      const tone = is === 'working' ? 'success' : is === 'unreachable' ? 'warning' : 'danger';
      await onDone({ tone, words: message });
    } catch (error) {
      reportFailure(error);
    } finally {
      setAsking(false);
    }
  };
  const act = state === 'outOfUse' ? 'enable' : 'disable';
  return (
    <>
      <Button busy={isAsking} busyLabel={t('check.busy')} onClick={() => void ask()}>
        {t('check')}
      </Button>
      <Button onClick={() => setAsked(act)}>{t(act)}</Button>
      {asked !== undefined && (
        <ConfirmDialog
          title={t(`${asked}.title`, { name })}
          act={t(asked)}
          busyAct={t(`${asked}.busy`)}
          onClose={() => setAsked(undefined)}
          onConfirm={async () => {
            await setInUse(id, asked === 'enable');
            await onDone({ tone: 'success', words: t(`${asked}.done`, { name }) });
            setAsked(undefined);
          }}
        >
          {t(`${asked}.text`)}
        </ConfirmDialog>
      )}
    </>
  );
}

interface SettingsProps extends ActsProps, AccountProps {
  readonly mayChange: boolean;
}

function Settings({ account, version, mayChange, onDone }: SettingsProps) {
  const kinds = useQuery(gatewayQueries.kinds());
  return (
    <Box title={t('settings.title')}>
      <Loaded query={kinds} height="12rem">
        {(data) => {
          const fields = data.find(({ gateway }) => gateway === account.gateway)?.settings ?? [];
          if (!mayChange) return <Known account={account} fields={fields} />;
          return (
            <SettingsForm
              // What was saved is what it begins with again.
              key={JSON.stringify([account.settings, account.secrets])}
              fields={fields}
              account={account}
              act={t('settings.save')}
              busyAct={t('settings.busy')}
              onSend={async (settings) => {
                try {
                  await setGateway(account.gateway, settings, version);
                } catch (error) {
                  if (!isPreconditionFailed(error)) throw error;
                  return onDone({ tone: 'warning', words: t('settings.newer') });
                }
                await onDone({ tone: 'success', words: t('settings.done') });
              }}
            />
          );
        }}
      </Loaded>
    </Box>
  );
}

/** The settings as they are, where they cannot be changed. */
function Known({
  account,
  fields,
}: {
  readonly account: GatewayAccountDetail;
  readonly fields: readonly { readonly name: string; readonly label: string }[];
}) {
  const said = (name: string) => {
    const secret = account.secrets.find((one) => one.name === name);
    if (secret !== undefined) return t(secret.isSet ? 'known.set' : 'known.unset');
    const value = account.settings[name];
    if (typeof value === 'boolean') return t(value ? 'known.yes' : 'known.no');
    return value === undefined || value === '' ? t('known.unset') : String(value);
  };
  return (
    <>
      <dl className={parts.sums}>
        {fields.map(({ name, label }) => (
          <div key={name}>
            <dt>{label}</dt>
            <dd>{said(name)}</dd>
          </div>
        ))}
      </dl>
      {account.state === 'outOfUse' && <p className={parts.muted}>{t('settings.outOfUse')}</p>}
    </>
  );
}
