import type { GatewayAccountDetail } from '@counterfoil/contract/operator/running/admin-gateways.ts';
import { CopyButton } from '../../ui/fields/copy-button.tsx';
import { Box, Nothing } from '../parts/box.tsx';
import parts from '../parts/parts.module.css';
import styles from './gateways.module.css';
import { t } from './messages.ts';

/** What to enter at the provider, as it is for this installation. */
export const Addresses = ({ addresses }: Pick<GatewayAccountDetail, 'addresses'>) => (
  <Box title={t('addresses.title')}>
    {addresses.length === 0 ? (
      <Nothing>{t('addresses.none')}</Nothing>
    ) : (
      <ul className={parts.lines} aria-label={t('addresses.title')}>
        {addresses.map(({ purpose, address }) => (
          <li key={`${purpose} ${address}`} className={styles.address}>
            <div className={parts.lineText}>
              <b className={parts.strong}>{t(`address.${purpose}`)}</b>
              <p>
                <code>{address}</code>
              </p>
            </div>
            <CopyButton text={address} label={t('copy')} copied={t('copied')} />
          </li>
        ))}
      </ul>
    )}
  </Box>
);
