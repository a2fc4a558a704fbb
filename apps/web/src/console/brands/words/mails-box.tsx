import type { MailTexts } from '@counterfoil/contract/mail-texts.ts';
import type { StandardMailText } from '@counterfoil/contract/operator/running/admin-brands.ts';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { Button } from '../../../ui/fields/button.tsx';
import { Field } from '../../../ui/fields/field.tsx';
import { Select } from '../../../ui/fields/select.tsx';
import { TextInput } from '../../../ui/fields/text-input.tsx';
import { t as mails } from '../../mails/messages.ts';
import { Box, Loaded } from '../../parts/box.tsx';
import styles from '../brands.module.css';
import { useBrandField } from '../editor.ts';
import { t } from '../messages.ts';
import { brandQueries } from '../queries.ts';
import {
  hasOwnWords,
  problemOf,
  type WordName,
  withStandardWords,
  withWords,
  wordLimits,
  wordsOf,
} from './mail-draft.ts';

type Kind = StandardMailText['kind'];

interface MailsBoxProps {
  /** Which mail is edited, and drawn beside it. */
  readonly kind: Kind;
  readonly onKind: (kind: Kind) => void;
}

/** Mails in the brand's own words, each part against the standard one. */
export function MailsBox({ kind, onKind }: MailsBoxProps) {
  const standards = useQuery(brandQueries.standardMailTexts());
  const { value } = useBrandField('settings.mailTexts');
  const own = (value ?? {}) as MailTexts;
  return (
    <Box title={t('mails')} aside={t('mails.hint')}>
      <Loaded query={standards} height="20rem">
        {(all) => {
          const standard = all.find((one) => one.kind === kind) ?? all[0];
          return (
            <div className={styles.fields}>
              <Select
                label={t('mails.kind')}
                filter
                value={kind}
                onChange={({ currentTarget }) =>
                  onKind(all.find((one) => one.kind === currentTarget.value)?.kind ?? kind)
                }
              >
                {all.map((one) => {
                  const name = mails(`kind.${one.kind}`);
                  return (
                    <option key={one.kind} value={one.kind}>
                      {hasOwnWords(own, one) ? t('mails.own', { name }) : name}
                    </option>
                  );
                })}
              </Select>
              {standard !== undefined && <Words key={standard.kind} standard={standard} />}
            </div>
          );
        }}
      </Loaded>
    </Box>
  );
}

type Written = HTMLInputElement | HTMLTextAreaElement;

function Words({ standard }: { readonly standard: StandardMailText }) {
  const { value, set } = useBrandField('settings.mailTexts');
  const own = (value ?? {}) as MailTexts;
  const last = useRef<{ readonly name: WordName; readonly box: Written }>(undefined);
  const say = (name: WordName, text: string) => set(withWords(own, standard, name, text));
  const insert = (placeholder: string) => {
    const { current } = last;
    if (current === undefined) return;
    const { name, box } = current;
    const [from, to] = [box.selectionStart ?? box.value.length, box.selectionEnd ?? box.value.length];
    const text = `${box.value.slice(0, from)}${placeholder}${box.value.slice(to)}`;
    if (text.length > wordLimits[name]) return;
    say(name, text);
    box.focus();
    requestAnimationFrame(() => box.setSelectionRange(from + placeholder.length, from + placeholder.length));
  };
  const fieldOf = (name: WordName) => ({
    label: t(`mails.${name}`),
    error: errorOf(standard, name, wordsOf(own, standard, name)),
    box: {
      maxLength: wordLimits[name],
      value: wordsOf(own, standard, name),
      // Tab passes through other fields on its way to the names: it chooses none.
      onClick: ({ currentTarget }: { readonly currentTarget: Written }) => {
        last.current = { name, box: currentTarget };
      },
      onChange: ({ currentTarget }: { readonly currentTarget: Written }) => {
        last.current = { name, box: currentTarget };
        say(name, currentTarget.value);
      },
    },
  });
  const text = fieldOf('text');
  return (
    <>
      <LineWords {...fieldOf('subject')} />
      <LineWords {...fieldOf('heading')} />
      <Field label={text.label} error={text.error} hint={t('mails.text.hint')} filter>
        {(control) => <textarea {...control} {...text.box} className={styles.area} rows={8} />}
      </Field>
      <LineWords {...fieldOf('button')} />
      <fieldset className={styles.placeholders}>
        <legend>{t('mails.placeholders')}</legend>
        {standard.placeholders.map((name) => (
          <Button key={name} size="small" variant="quiet" onClick={() => insert(`{${name}}`)}>
            {`{${name}}`}
          </Button>
        ))}
      </fieldset>
      <Button
        size="small"
        disabled={!hasOwnWords(own, standard)}
        onClick={() => set(withStandardWords(own, standard))}
      >
        {t('mails.reset')}
      </Button>
    </>
  );
}

interface LineWordsProps {
  readonly label: string;
  readonly error: string | undefined;
  readonly box: Pick<Parameters<typeof TextInput>[0], 'maxLength' | 'value' | 'onClick' | 'onChange'>;
}

const LineWords = ({ label, error, box }: LineWordsProps) => (
  <TextInput label={label} error={error} type="text" filter autoComplete="off" {...box} />
);

function errorOf(standard: StandardMailText, name: WordName, text: string): string | undefined {
  const problem = problemOf(standard, name, text);
  if (problem === undefined) return undefined;
  return problem.is === 'empty' ? t('mails.empty') : t('mails.unknown', { name: `{${problem.name}}` });
}
