import type { SearchResults } from '@counterfoil/contract/operator/customers/search.ts';
import { formatDay, formatMoney } from '../../text/format.ts';
import { StatusPill } from '../../ui/data/status-pill.tsx';
import { Key } from '../parts/key.tsx';
import { t } from './messages.ts';
import { MOST_COUNTED } from './queries.ts';
import styles from './search.module.css';
import { type AnyHit, countOf, type HitGroup, kindsShown, markedParts, type Shown } from './search-model.ts';

interface HitListProps {
  readonly id: string;
  readonly groups: readonly HitGroup[];
  readonly typed: string;
  /** Key of the chosen one. */
  readonly chosen: string | undefined;
  readonly shown: Shown;
  /** What was found, counted further than it is listed; undefined until that is known. */
  readonly counts: SearchResults | undefined;
  readonly onShow: (kind: Shown) => void;
  readonly hasFailed: boolean;
  /** It is what was found for what stands in the field now. */
  readonly isCurrent: boolean;
  readonly onChoose: (hit: AnyHit) => void;
  readonly onOpen: (hit: AnyHit, inNewTab: boolean) => void;
  /** The list of customers is asked for. */
  readonly onAll: () => void;
}

/** What was found, in groups, below the field that keeps the focus. */
export function HitList(props: HitListProps) {
  const { id, groups, typed, hasFailed, isCurrent } = props;
  return (
    <div className={styles.panel}>
      <KindTabs {...props} />
      <div className={styles.hits} id={id} role="listbox" aria-label={t('results')}>
        {groups.map((group) => (
          <Group key={group.kind} group={group} {...props} />
        ))}
      </div>
      {hasFailed && <p className={styles.none}>{t('failed')}</p>}
      {isCurrent && groups.length === 0 && (
        <p className={styles.none}>
          <b>{t('none', { q: typed })}</b>
          <span>{t('noneWhy')}</span>
        </p>
      )}
      <div className={styles.foot}>
        <button type="button" className={styles.all} onClick={props.onAll}>
          {t('all', { q: typed })}
        </button>
        <span className={styles.keys} aria-hidden="true">
          <Key>↑</Key> <Key>↓</Key> {t('keys.choose')} <Key>↵</Key> {t('keys.open')} <Key>⌘ ↵</Key>{' '}
          {t('keys.tab')} <Key>Tab</Key> {t('keys.kind')} <Key>esc</Key> {t('keys.close')}
        </span>
      </div>
    </div>
  );
}

/** Everything, or one kind alone, each with how many there are. The field keeps the focus; Tab there goes through them. */
const KindTabs = ({
  id,
  shown,
  counts,
  onShow,
}: Pick<HitListProps, 'id' | 'shown' | 'counts' | 'onShow'>) => (
  <div className={styles.tabs} role="tablist" aria-label={t('kinds')}>
    {kindsShown.map((kind) => (
      <button
        key={kind}
        type="button"
        role="tab"
        tabIndex={-1}
        aria-selected={kind === shown}
        aria-controls={id}
        onPointerDown={(event) => event.preventDefault()}
        onClick={() => onShow(kind)}
      >
        {kind === 'everything' || counts === undefined
          ? t(kind)
          : t('kind.count', { kind: t(kind), count: countOf(counts, kind, MOST_COUNTED) })}
      </button>
    ))}
  </div>
);

function Group({
  id,
  group: { kind, hits },
  typed,
  chosen,
  onChoose,
  onOpen,
}: HitListProps & { readonly group: HitGroup }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of options within a list box; a fieldset is no part of one
    <div role="group" aria-label={t(kind)}>
      <p className={styles.kind} aria-hidden="true">
        {t(kind)}
      </p>
      {hits.map((hit) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the field keeps the focus, points here by aria-activedescendant and handles the keys
        <div
          key={hit.key}
          id={`${id}-${hit.key}`}
          className={styles.hit}
          role="option"
          aria-selected={hit.key === chosen}
          aria-disabled={hit.path === null || undefined}
          ref={(element) => {
            if (hit.key === chosen) element?.scrollIntoView({ block: 'nearest' });
          }}
          // The press must not take the focus from the field.
          onPointerDown={(event) => event.preventDefault()}
          onPointerMove={() => hit.key !== chosen && onChoose(hit)}
          onClick={(event) => onOpen(hit, event.metaKey || event.ctrlKey)}
        >
          <HitText hit={hit} typed={typed} />
        </div>
      ))}
    </div>
  );
}

function Marked({ text, typed }: { readonly text: string; readonly typed: string }) {
  const [before, marked, after] = markedParts(text, typed);
  return (
    <>
      {before}
      {marked !== '' && <mark>{marked}</mark>}
      {after}
    </>
  );
}

function HitText({ hit, typed }: { readonly hit: AnyHit; readonly typed: string }) {
  const main = (more: string | null) => (
    <span className={styles.what} dir="auto">
      <b>
        <Marked text={hit.title} typed={typed} />
      </b>{' '}
      <span>
        <Marked text={more ?? ''} typed={typed} />
      </span>
    </span>
  );
  switch (hit.kind) {
    case 'customers': {
      const { reference, email, status, matched, label } = hit.customer;
      const by = [label, reference, email].includes(matched) ? null : matched;
      return (
        <>
          {main([reference, email, by].filter(Boolean).join(' · '))}
          {status === 'disabled' && (
            <StatusPill tone="warning" icon="lock">
              {t('customer.disabled')}
            </StatusPill>
          )}
        </>
      );
    }
    case 'users':
      return (
        <>
          {main(hit.user.email)}
          {hit.user.isActive ? (
            <span className={styles.muted}>{t('user.sees', { count: hit.user.customerIds.length })}</span>
          ) : (
            <StatusPill tone="warning" icon="lock">
              {t('user.disabled')}
            </StatusPill>
          )}
        </>
      );
    case 'invoices': {
      const { customer, issuedOn, status, payable, currency } = hit.invoice;
      return (
        <>
          {main(t('invoice.issued', { customer, day: formatDay(issuedOn) }))}
          <StatusPill
            tone={status === 'paid' ? 'success' : status === 'disputed' ? 'warning' : 'neutral'}
            icon={status === 'paid' ? 'check' : 'file'}
          >
            {t(`status.${status}`)}
          </StatusPill>
          <span className={styles.figure}>{formatMoney(payable, { currency })}</span>
        </>
      );
    }
    case 'serviceItems':
      return main([hit.item.name, hit.item.customer].join(' · '));
  }
}
