import type { CustomerUser } from '@counterfoil/contract/operator/customers/admin-customers.ts';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useSubmit } from '../../lib/use-submit.ts';
import { Button, LinkButton } from '../../ui/fields/button.tsx';
import { ErrorSummary } from '../../ui/fields/error-summary.tsx';
import { Select } from '../../ui/fields/select.tsx';
import { TextInput } from '../../ui/fields/text-input.tsx';
import { Loaded } from '../parts/box.tsx';
import styles from './customers.module.css';
import { t } from './messages.ts';
import { customerQueries, makeSignInLink } from './queries.ts';

const minutesOffered = [5, 15, 30, 60] as const;
const STANDARD_MINUTES = 15;
/** Shorter is no reason; the server asks for as much. */
const LEAST_REASON = 3;

interface SignInAsProps {
  readonly customerId: string;
  readonly name: string;
  readonly onDone: (words: string) => void;
}

/** Opens the portal as a user of the customer, to look only: as whom, why, for how long. */
export function SignInAs(props: SignInAsProps) {
  const users = useQuery(customerQueries.users(props.customerId));
  return (
    <section className={styles.signInAs} aria-label={t('signInAs')}>
      <Loaded query={users} height="4rem">
        {(all) => {
          const active = all.filter(({ isActive }) => isActive);
          const [first] = active;
          return first === undefined ? (
            <p className={styles.muted}>{t('signInAs.none')}</p>
          ) : (
            <SignInAsForm users={active} first={first} {...props} />
          );
        }}
      </Loaded>
    </section>
  );
}

interface FormProps extends SignInAsProps {
  readonly users: readonly CustomerUser[];
  readonly first: CustomerUser;
}

function SignInAsForm({ users, first, customerId, name, onDone }: FormProps) {
  const why = useRef<HTMLInputElement>(null);
  useEffect(() => why.current?.focus(), []);
  const [email, setEmail] = useState(first.email);
  const [reason, setReason] = useState('');
  const [minutes, setMinutes] = useState<number>(STANDARD_MINUTES);
  // Where the browser opens no window by itself.
  const [link, setLink] = useState<string>();
  const user = users.find((one) => one.email === email) ?? first;
  const isReason = reason.trim().length >= LEAST_REASON;
  const submit = useSubmit(async () => {
    if (!isReason) return;
    // Before anything is waited for: later a browser takes it for a window that nobody asked for.
    const tab = globalThis.open('', '_blank');
    try {
      const made = await makeSignInLink(customerId, user.email, { reason: reason.trim(), minutes });
      if (tab === null) {
        setLink(made.url);
        return;
      }
      tab.opener = null;
      tab.location.replace(made.url);
      onDone(t('signInAs.done', { name: user.displayName, minutes }));
    } catch (error) {
      tab?.close();
      throw error;
    }
  });
  return (
    <form className={styles.signInForm} onSubmit={submit.onSubmit}>
      <ErrorSummary problems={submit.problems} attempt={submit.attempt} />
      <div className={styles.signInFields}>
        <Select
          label={t('signInAs')}
          filter
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        >
          {users.map((one) => (
            <option key={one.id} value={one.email}>
              {`${one.displayName}, ${one.email}`}
            </option>
          ))}
        </Select>
        <TextInput
          label={t('signInAs.reason')}
          filter
          type="text"
          autoComplete="off"
          maxLength={300}
          required
          placeholder={t('signInAs.reason.hint')}
          inputRef={why}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <Select
          label={t('signInAs.for')}
          filter
          value={minutes}
          onChange={(event) => setMinutes(Number(event.currentTarget.value))}
        >
          {minutesOffered.map((one) => (
            <option key={one} value={one}>
              {t('signInAs.minutes', { minutes: one })}
            </option>
          ))}
        </Select>
        {link === undefined ? (
          <Button
            type="submit"
            variant="primary"
            disabled={!isReason}
            busy={submit.busy}
            busyLabel={t('signInAs.busy')}
          >
            {t('signInAs.act', { name: user.displayName })}
          </Button>
        ) : (
          <LinkButton variant="primary" href={link} target="_blank" rel="noopener noreferrer">
            {t('signInAs.open')}
          </LinkButton>
        )}
      </div>
      <p className={styles.muted}>{t('signInAs.note', { name })}</p>
    </form>
  );
}
