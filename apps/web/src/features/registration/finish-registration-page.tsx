import { LinkPage } from '../../brand/link-page.tsx';
import { t } from './messages.ts';
import { RegistrationForm } from './registration-form.tsx';

/** The page of a registration link (specification, payments §2). */
export const FinishRegistrationPage = () => (
  <LinkPage
    title={t('title')}
    back={t('back')}
    ends={{ success: t('success'), expired: t('expired') }}
    form={(onEnd) => <RegistrationForm onEnd={onEnd} />}
  />
);
