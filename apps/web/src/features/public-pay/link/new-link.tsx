import type { PayLinkAnswer } from '@counterfoil/contract/paying/pay-links.ts';
import { useEffect, useRef, useState } from 'react';
import { openApi } from '../../../lib/api/open-api.ts';
import { runtimeConfig } from '../../../lib/page/runtime-config.ts';
import outcomeStyles from '../../../paying/outcome/outcome.module.css';
import { Button } from '../../../ui/fields/button.tsx';
import { t as page } from '../outcome/outcome-messages.ts';
import styles from '../pay.module.css';
import { t } from './new-link-messages.ts';
import { uidOf } from './pay-address.ts';

type Asked = 'no' | 'asking' | 'yes' | 'failed';

/** Offers a new link for one that has expired. It goes to the address on file; what is said tells nobody whose that is. */
export function NewLink() {
  const [asked, setAsked] = useState<Asked>('no');
  const ask = () => {
    setAsked('asking');
    openApi
      .post<PayLinkAnswer>('/v1/ec/payment/link-by-mail', { uid: uidOf(globalThis.location.pathname) })
      .then(
        () => setAsked('yes'),
        () => setAsked('failed'),
      );
  };
  // The button that was pressed is gone: what came of it takes the focus.
  const told = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (asked === 'yes') told.current?.focus();
  }, [asked]);
  const company = runtimeConfig.brand?.companyName ?? page('loadFailed.sender');
  return (
    <div className={outcomeStyles.acts}>
      {asked !== 'yes' && (
        <Button
          variant="primary"
          size="tall"
          wide
          onClick={ask}
          busy={asked === 'asking'}
          busyLabel={t('newLink.asking')}
        >
          {t('newLink.ask')}
        </Button>
      )}
      <p ref={told} role="status" tabIndex={-1} className={styles.told}>
        {asked === 'yes' && t('newLink.asked', { company })}
        {asked === 'failed' && t('newLink.failed')}
      </p>
    </div>
  );
}
