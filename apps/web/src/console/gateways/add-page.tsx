import type { GatewayKind, GatewaySettings } from '@counterfoil/contract/operator/running/admin-gateways.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { ApiError } from '../../lib/api/api-error.ts';
import { isPreconditionFailed } from '../../lib/api/console-api.ts';
import { Select } from '../../ui/fields/select.tsx';
import { useTitle } from '../../ui/layout/title.ts';
import { Box, Loaded } from '../parts/box.tsx';
import { PageTop } from '../parts/page-top.tsx';
import { consoleName } from '../shell/messages.ts';
import styles from './gateways.module.css';
import { t } from './messages.ts';
import { gatewayQueries, setGateway } from './queries.ts';
import { SettingsForm } from './settings-form.tsx';

async function addGateway({ gateway, name }: GatewayKind, settings: GatewaySettings['settings']) {
  try {
    return await setGateway(gateway, settings);
  } catch (error) {
    if (!isPreconditionFailed(error)) throw error;
    throw new ApiError(error.status, error.code, t('add.taken', { name }), {}, error);
  }
}

/** Gives the reseller another gateway: which one, and the settings that it needs. */
export default function AddGatewayPage() {
  const kinds = useQuery(gatewayQueries.kinds());
  const search = useSearch({ strict: false }) as { readonly gateway?: unknown };
  const navigate = useNavigate();
  const client = useQueryClient();
  useTitle(t('add.title'), consoleName);
  return (
    <>
      <PageTop title={t('add.title')} />
      <div className={styles.narrow}>
        <Box title={t('settings.title')} hideTitle>
          <Loaded query={kinds} height="16rem">
            {(data) => {
              const kind = data.find(({ gateway }) => gateway === search.gateway) ?? data[0];
              if (kind === undefined) return null;
              return (
                <div className={styles.adding}>
                  <Select
                    label={t('choose')}
                    hint={t('choose.hint')}
                    value={kind.gateway}
                    onChange={(event) =>
                      void navigate({
                        to: '/admin/gateways/add' as never,
                        search: { gateway: event.currentTarget.value } as never,
                        replace: true,
                      })
                    }
                  >
                    {data.map(({ gateway, name }) => (
                      <option key={gateway} value={gateway}>
                        {name}
                      </option>
                    ))}
                  </Select>
                  <p>
                    <a href={kind.docs} target="_blank" rel="noreferrer">
                      {t('add.docs')}
                    </a>
                  </p>
                  <SettingsForm
                    key={kind.gateway}
                    fields={kind.settings}
                    act={t('add.act')}
                    busyAct={t('add.busy')}
                    onSend={async (settings) => {
                      const { id } = await addGateway(kind, settings);
                      await client.invalidateQueries({ queryKey: ['gateways'] });
                      await navigate({ to: `/admin/gateways/${id}` as never });
                    }}
                  />
                </div>
              );
            }}
          </Loaded>
        </Box>
      </div>
    </>
  );
}
