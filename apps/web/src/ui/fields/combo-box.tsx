import {
  type KeyboardEvent,
  type ReactNode,
  useDeferredValue,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import { readerLocale } from '../../text/catalogue.ts';
import { classNames } from '../class-names.ts';
import { t } from '../data/record-messages.ts';
import { Icon } from '../icon.tsx';
import { useDismiss } from '../overlays/use-dismiss.ts';
import { VisuallyHidden } from '../visually-hidden.tsx';
import styles from './combo-box.module.css';
import {
  type ComboOption,
  listedOptions,
  matchingOptions,
  sortedOptions,
  stepIn,
} from './combo-box-model.ts';
import type { FieldControl } from './field.tsx';
import inputStyles from './input.module.css';

/** Options that are elsewhere. */
export interface MoreOptions {
  /** How many, of all or of what is searched for. */
  readonly count: number;
  /** What is typed is on its way. */
  readonly isSearching: boolean;
  /** Told what is typed, so that what is found joins the options. */
  readonly search: (text: string) => void;
}

export interface ComboBoxProps<Id extends string> {
  readonly options: readonly ComboOption<Id>[];
  readonly value: Id | undefined;
  readonly onChange: (id: Id) => void;
  /** Name of the control for screen readers; also names the list. */
  readonly label: string;
  /** In the search field, and on the button while nothing is chosen. */
  readonly placeholder: string;
  /** Options stand by label unless the caller's order means something (periods, newest first). */
  readonly sorted?: boolean;
  readonly compact?: boolean;
  /** Where there may be more than the options. */
  readonly more?: MoreOptions | undefined;
  /** From a `Field` around it. */
  readonly control?: FieldControl;
  /** Replaces the button's look; the header draws its own. */
  readonly triggerClass?: string | undefined;
  /** Replaces what stands on the button; then names the control too. */
  readonly children?: ReactNode;
}

/**
 * A button that opens a searchable list: the search field keeps the focus and moves through the list by arrow
 * keys (`aria-activedescendant`), Enter chooses, Escape closes and returns the focus. Works with thousands of
 * options: some hundreds are listed, plain elements whose painting the browser skips while they are scrolled away; for
 * more than those there is the search.
 */
export function ComboBox<Id extends string>(props: ComboBoxProps<Id>) {
  const {
    options,
    value,
    onChange,
    label,
    placeholder,
    sorted = true,
    compact,
    control,
    triggerClass,
  } = props;
  const [open, setOpen] = useState(false);
  const trigger = useRef<HTMLButtonElement>(null);
  const root = useRef<HTMLDivElement>(null);
  const menuId = useId();
  const ordered = useMemo(
    () => (sorted ? sortedOptions(options, readerLocale()) : options),
    [options, sorted],
  );
  const chosen = ordered.find((option) => option.id === value);

  const close = (returnFocus: boolean) => {
    setOpen(false);
    if (returnFocus) trigger.current?.focus();
  };
  useDismiss(root, open, close);
  const search = props.more?.search;
  // Opened again, the list begins with nothing typed.
  useEffect(() => {
    if (!open) search?.('');
  }, [open, search]);
  return (
    <div className={styles.root} ref={root}>
      <button
        ref={trigger}
        type="button"
        className={triggerClass ?? classNames(styles.trigger, compact && styles.compact)}
        aria-haspopup="listbox"
        aria-expanded={open}
        aria-controls={open ? menuId : undefined}
        aria-label={control || props.children ? undefined : `${label}: ${chosen?.label ?? placeholder}`}
        {...control}
        onClick={() => setOpen(!open)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
          event.preventDefault();
          setOpen(true);
        }}
      >
        {props.children ?? (
          <span className={classNames(styles.value, !chosen && styles.placeholder)} dir="auto">
            {chosen?.label ?? placeholder}
          </span>
        )}
        <Icon name="down" />
      </button>
      {/* What was chosen, where what was typed is kept over the end of a session. */}
      <input
        type="hidden"
        data-keep="choice"
        name={label}
        value={value ?? ''}
        onInput={(event) => onChange(event.currentTarget.value as Id)}
      />
      {open && (
        <Menu
          id={menuId}
          options={ordered}
          value={value}
          label={label}
          placeholder={placeholder}
          more={props.more}
          onEscape={() => close(true)}
          onChoose={(id) => {
            close(true);
            if (id !== value) onChange(id);
          }}
        />
      )}
    </div>
  );
}

interface MenuProps<Id extends string> extends Pick<ComboBoxProps<Id>, 'more'> {
  readonly id: string;
  readonly options: readonly ComboOption<Id>[];
  readonly value: Id | undefined;
  readonly label: string;
  readonly placeholder: string;
  readonly onChoose: (id: Id) => void;
  readonly onEscape: () => void;
}

function Menu<Id extends string>({
  id,
  options,
  value,
  label,
  placeholder,
  more,
  onChoose,
  onEscape,
}: MenuProps<Id>) {
  const [search, setSearch] = useState('');
  const deferred = useDeferredValue(search);
  const matching = useMemo(() => matchingOptions(options, deferred), [options, deferred]);
  const found = useMemo(() => listedOptions(matching, value), [matching, value]);
  const [active, setActive] = useState(() => found.findIndex((option) => option.id === value));
  const list = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const current = found[active];
  const isSearching = more?.isSearching === true;
  const unlisted = matching.length - found.length + (more?.count ?? 0);

  useEffect(() => field.current?.focus(), []);
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active]);

  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    // While an input method composes, Enter and arrows belong to it.
    if (event.nativeEvent.isComposing) return;
    // Home and End belong to the text while there is some.
    const next =
      search !== '' && /Home|End/.test(event.key) ? undefined : stepIn(found.length, active, event.key);
    if (next !== undefined) setActive(next);
    // Stopped below: what the list stands in (a dialog, the phone's menu) stays open.
    else if (event.key === 'Escape') onEscape();
    else if (event.key === 'Enter' && current) onChoose(current.id);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className={styles.menu}>
      <input
        ref={field}
        className={classNames(inputStyles.input, inputStyles.compact)}
        role="combobox"
        aria-label={label}
        aria-expanded="true"
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={current ? `${id}-${current.id}` : undefined}
        autoComplete="off"
        placeholder={placeholder}
        value={search}
        onChange={(event) => {
          setSearch(event.currentTarget.value);
          setActive(0);
          more?.search(event.currentTarget.value);
        }}
        onKeyDown={onKeyDown}
      />
      <div className={styles.options} ref={list} role="listbox" id={id} aria-label={label}>
        {found.map((option, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the search field keeps the focus, points here by aria-activedescendant and handles the keys
          <div
            key={option.id}
            id={`${id}-${option.id}`}
            className={styles.option}
            role="option"
            aria-selected={option.id === value}
            data-active={index === active || undefined}
            // The press must not take the focus from the search field: it would close the menu first.
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => onChoose(option.id)}
            onPointerMove={() => index !== active && setActive(index)}
          >
            <span dir="auto">{option.label}</span>
            {option.id === value && <Icon name="check" />}
          </div>
        ))}
      </div>
      {found.length === 0 && !isSearching && <p className={styles.none}>{t('combo.none')}</p>}
      {unlisted > 0 && !isSearching && <p className={styles.none}>{t('combo.more', { count: unlisted })}</p>}
      <VisuallyHidden role="status">
        {search === '' || isSearching
          ? ''
          : t('combo.results', { count: matching.length + (more?.count ?? 0) })}
      </VisuallyHidden>
    </div>
  );
}
