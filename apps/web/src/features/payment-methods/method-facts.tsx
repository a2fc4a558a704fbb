import type { SavedSource } from '@counterfoil/contract/paying/payment-methods.ts';
import { formatMoment } from '../../lib/values/moment.ts';
import { countryName } from '../../paying/methods/country-name.ts';
import { readerLocale } from '../../text/catalogue.ts';
import { t } from './messages.ts';
import styles from './payment-methods.module.css';

const contacts = ['email', 'phone'] as const;
const places = ['line1', 'line2', 'city', 'state', 'postalCode'] as const;

/** All that is known of a method; what is not says so (payments §2). */
export function MethodFacts({ id, source }: { readonly id: string; readonly source: SavedSource }) {
  const { billingDetails, address, mandate } = source;
  const country = address.country ? countryName(address.country, readerLocale()) : '';
  return (
    <dl className={styles.details} id={id}>
      <Fact label={t('facts.name')} text={source.name} none={t('facts.none.name')} />
      {contacts.map((name) => (
        <Fact
          key={name}
          label={t(`facts.${name}`)}
          text={billingDetails[name]}
          none={t(`facts.none.${name}`)}
          isWide={name === 'email'}
        />
      ))}
      {places.map((name) => (
        <Fact key={name} label={t(`facts.${name}`)} text={address[name]} none={t(`facts.none.${name}`)} />
      ))}
      <Fact label={t('facts.country')} text={country} none={t('facts.none.country')} />
      {mandate && <MandateFacts mandate={mandate} />}
    </dl>
  );
}

function MandateFacts({ mandate }: { readonly mandate: NonNullable<SavedSource['mandate']> }) {
  return (
    <>
      <Fact label={t('facts.mandate')} text={t(`mandate.${mandate.status}`)} none="" />
      {mandate.reference && <Fact label={t('facts.reference')} text={mandate.reference} none="" />}
      {mandate.agreedAt && (
        <Fact label={t('facts.agreed')} text={formatMoment(mandate.agreedAt).day} none="" />
      )}
      {mandate.url && (
        <div>
          <dt>{t('facts.document')}</dt>
          <dd>
            <a href={mandate.url} target="_blank" rel="noreferrer">
              {t('facts.open')}
            </a>
          </dd>
        </div>
      )}
      {mandate.text && (
        <div className={styles.whole}>
          <dt>{t('facts.words')}</dt>
          <dd>{mandate.text}</dd>
        </div>
      )}
    </>
  );
}

interface FactProps {
  readonly label: string;
  readonly text: string | null;
  /** What stands for an empty one. */
  readonly none: string;
  /** It is longer than others and not to be broken. */
  readonly isWide?: boolean;
}

const Fact = ({ label, text, none, isWide = false }: FactProps) => (
  <div className={isWide ? styles.wide : undefined}>
    <dt>{label}</dt>
    <dd className={text ? undefined : styles.muted}>{text || none}</dd>
  </div>
);
