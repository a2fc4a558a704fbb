import type { LoginEvent } from '@counterfoil/domain/text/login-form.ts';
import { Button } from '../../ui/fields/button.tsx';
import { t } from './messages.ts';

/** Form state 3: the mail is on its way, if there is such an account. */
export const ResetSent = ({ onEvent }: { readonly onEvent: (event: LoginEvent) => void }) => (
  <>
    <p>{t('sent.text')}</p>
    <Button variant="primary" size="tall" wide onClick={() => onEvent('continue')}>
      {t('sent.continue')}
    </Button>
  </>
);
