import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Button, LinkButton } from '../../ui/fields/button.tsx';
import form from '../../ui/fields/form.module.css';
import { TextInput } from '../../ui/fields/text-input.tsx';
import { signInWays, ssoAddress } from './calls.ts';
import styles from './entry.module.css';
import { t } from './messages.ts';

/** The ways beside password and code, and what sets them apart from these; nothing where there are none. */
export function OtherWays({ children }: { readonly children: ReactNode }) {
  // Without an answer the page goes on with what it has.
  const ways = useQuery({ queryKey: ['sign-in-ways'], queryFn: signInWays, meta: { quiet: () => true } });
  const { ssoOfInstallation = false, ssoByName = false } = ways.data ?? {};
  if (children === false && !ssoOfInstallation && !ssoByName) return null;
  return (
    <>
      {children}
      {ssoOfInstallation && (
        <LinkButton wide href={ssoAddress()}>
          {t('signIn.sso')}
        </LinkButton>
      )}
      {ssoByName && <NamedSso />}
      <p className={styles.or}>{t('signIn.or')}</p>
    </>
  );
}

function NamedSso() {
  const [isOpen, setOpen] = useState(false);
  const [name, setName] = useState('');
  if (!isOpen)
    return (
      <Button wide onClick={() => setOpen(true)}>
        {t('signIn.ssoNamed')}
      </Button>
    );
  return (
    <form
      className={form.form}
      method="dialog"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() !== '') globalThis.location.assign(ssoAddress(name.trim()));
      }}
    >
      <TextInput
        label={t('signIn.ssoName')}
        type="text"
        name="sso-name"
        autoComplete="organization"
        maxLength={100}
        required
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Button type="submit" wide disabled={name.trim() === ''}>
        {t('signIn.ssoGo')}
      </Button>
    </form>
  );
}
