import type { SavedSource } from '@counterfoil/contract/paying/payment-methods.ts';
import { type ReactNode, useId, useState } from 'react';
import {
  expiresSoon,
  expiryText,
  methodName,
  methodTitle,
  networkMark,
} from '../../paying/methods/method-words.ts';
import { StatusPill } from '../../ui/data/status-pill.tsx';
import { Button } from '../../ui/fields/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import { t } from './messages.ts';
import { MethodFacts } from './method-facts.tsx';
import styles from './payment-methods.module.css';

/** What can be done with a method; without `onEdit` the gateway changes nothing of it. */
export interface RowActs {
  readonly onDefault: (source: SavedSource) => void;
  readonly onEdit: ((source: SavedSource) => void) | undefined;
  readonly onRemove: (source: SavedSource) => void;
  readonly onVerify: (source: SavedSource) => void;
  /** Id of the method whose call is under way. */
  readonly busy: string | undefined;
}

/** One saved method: what it is, how it stands, what can be done. */
export function MethodRow({ source, acts }: { readonly source: SavedSource; readonly acts: RowActs }) {
  const [isOpen, setOpen] = useState(false);
  const factsId = useId();
  const act = (word: string, onClick: () => void, more: object = {}) => (
    <Button variant="quiet" size="small" className={styles.act} onClick={onClick} {...more}>
      {word}
      <VisuallyHidden> {methodName(source)}</VisuallyHidden>
    </Button>
  );
  const isReady = source.status === 'ready';
  return (
    <li className={styles.row}>
      <Mark source={source} />
      <div className={styles.about}>
        <p className={styles.name}>{methodTitle(source)}</p>
        {factsOf(source).map((fact) => (
          <p key={fact} className={styles.facts}>
            {fact}
          </p>
        ))}
      </div>
      <div className={styles.pills}>{pillOf(source)}</div>
      <div className={styles.acts}>
        {source.verification !== null && act(t('row.verify'), () => acts.onVerify(source))}
        {isReady &&
          !source.isDefault &&
          act(t('row.makeDefault'), () => acts.onDefault(source), {
            busy: acts.busy === source.id,
            // Pressed all the same it says why not.
            'aria-disabled': source.isExpired || undefined,
          })}
        {act(t('row.details'), () => setOpen(!isOpen), {
          'aria-expanded': isOpen,
          'aria-controls': isOpen ? factsId : undefined,
        })}
        {acts.onEdit && source.status !== 'pending' && act(t('row.edit'), () => acts.onEdit?.(source))}
        {act(t('row.remove'), () => acts.onRemove(source), { danger: true })}
      </div>
      {isOpen && <MethodFacts id={factsId} source={source} />}
    </li>
  );
}

const Mark = ({ source }: { readonly source: SavedSource }) => (
  <span className={styles.network} aria-hidden="true">
    {(source.kind === 'card' && networkMark(source.brand)) || (
      <Icon name={source.kind === 'card' ? 'card' : 'bank'} />
    )}
  </span>
);

/** At most one word a row: what hinders it comes before what distinguishes it. */
function pillOf(source: SavedSource): ReactNode {
  const { status, isExpired, isDefault } = source;
  const hindered =
    status === 'pending' ? (
      <StatusPill tone="info" icon="clock">
        {t(source.verification === null ? 'row.pending' : 'row.toVerify')}
      </StatusPill>
    ) : status === 'unusable' ? (
      <StatusPill tone="danger" icon="alert">
        {t('row.unusable')}
      </StatusPill>
    ) : isExpired ? (
      <StatusPill tone="danger" icon="alert">
        {t('row.expired')}
      </StatusPill>
    ) : expiresSoon(source, new Date()) ? (
      <StatusPill tone="warning" icon="alert">
        {t('row.expiresSoon')}
      </StatusPill>
    ) : null;
  return (
    <>
      {hindered}
      {isDefault && <StatusPill tone="outline">{t('row.default')}</StatusPill>}
    </>
  );
}

/** 'Expires 08 / 2028 · Ada Nakamura', and what its mandate or its verification waits for. */
function factsOf(source: SavedSource): readonly string[] {
  const expiry = expiryText(source);
  const date = expiry?.replaceAll(' ', '\u00a0');
  const when =
    date === undefined ? undefined : t(source.isExpired ? 'row.expiredOn' : 'row.expires', { date });
  const line = [when, source.name, source.kind === 'bank' ? source.billingDetails.email : null]
    .filter(Boolean)
    .join(' · ');
  return [line, waitingText(source)].filter((fact): fact is string => Boolean(fact));
}

function waitingText({ status, mandate, verification }: SavedSource): string | undefined {
  if (verification !== null) return t('row.waitsForYou');
  if (status === 'pending') return t('row.waitsForBank');
  if (mandate?.status === 'pending') return t('row.mandatePending');
  return mandate?.status === 'dead' || mandate?.status === 'suspended' ? t('row.mandateEnded') : undefined;
}
