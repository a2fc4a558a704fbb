import type {
  GatewayAccountDetail,
  GatewaySetting,
  GatewaySettings,
} from '@counterfoil/contract/operator/running/admin-gateways.ts';
import { type ReactNode, useState } from 'react';
import { useSubmit } from '../../lib/use-submit.ts';
import { formatMoment } from '../../lib/values/moment.ts';
import { Button } from '../../ui/fields/button.tsx';
import { Checkbox } from '../../ui/fields/checkbox.tsx';
import { ErrorSummary } from '../../ui/fields/error-summary.tsx';
import form from '../../ui/fields/form.module.css';
import { Select } from '../../ui/fields/select.tsx';
import { TextInput } from '../../ui/fields/text-input.tsx';
import parts from '../parts/parts.module.css';
import styles from './gateways.module.css';
import { t } from './messages.ts';
import { changesOf, inLabels, missingOf, type Typed, typedAtFirst } from './typed-settings.ts';

interface SettingsFormProps {
  readonly fields: readonly GatewaySetting[];
  /** Absent: a new one. */
  readonly account?: GatewayAccountDetail | undefined;
  readonly act: string;
  readonly busyAct: string;
  /** Sends what differs. A failure keeps what was typed. */
  readonly onSend: (settings: GatewaySettings['settings']) => Promise<void>;
}

/** The settings of a gateway as its manifest declares them; a secret is typed, and never shown. */
export function SettingsForm({ fields, account, act, busyAct, onSend }: SettingsFormProps) {
  const [typed, setTyped] = useState<Typed>(() => typedAtFirst(fields, account));
  const [removed, setRemoved] = useState<readonly string[]>([]);
  const changes = changesOf(fields, account, typed, removed);
  const missing = missingOf(fields, account, typed);
  const isUnchanged = account !== undefined && Object.keys(changes).length === 0;
  const submit = useSubmit(async () => {
    if (isUnchanged || missing.length > 0) return;
    await onSend(changes);
  });
  const problems = submit.problems.map((one) => ({ ...one, text: inLabels(fields, one.text) }));
  return (
    <form className={form.form} onSubmit={submit.onSubmit}>
      <ErrorSummary problems={problems} attempt={submit.attempt} />
      <div className={styles.fields}>
        {fields.map((field) => (
          <SettingField
            key={field.name}
            field={field}
            account={account}
            value={typed[field.name] ?? ''}
            onChange={(value) => setTyped({ ...typed, [field.name]: value })}
            isRemoved={removed.includes(field.name)}
            onRemove={(isRemoved) =>
              setRemoved(isRemoved ? [...removed, field.name] : removed.filter((name) => name !== field.name))
            }
          />
        ))}
      </div>
      <div className={styles.send}>
        <Button
          type="submit"
          variant="primary"
          disabled={isUnchanged || missing.length > 0}
          busy={submit.busy}
          busyLabel={busyAct}
        >
          {act}
        </Button>
        <p className={parts.muted}>
          {missing.length > 0
            ? t('settings.missing', { fields: missing.join(', ') })
            : isUnchanged && t('settings.unchanged')}
        </p>
      </div>
    </form>
  );
}

interface SettingFieldProps {
  readonly field: GatewaySetting;
  readonly account: GatewayAccountDetail | undefined;
  readonly value: string | boolean;
  readonly onChange: (value: string | boolean) => void;
  readonly isRemoved: boolean;
  readonly onRemove: (isRemoved: boolean) => void;
}

function SettingField(props: SettingFieldProps) {
  const { field, value, onChange } = props;
  const { name, label, kind, values, required, help } = field;
  const texts = { label, optional: required || kind === 'choice' ? undefined : t('optional') };
  if (kind === 'flag')
    return (
      <div className={styles.whole}>
        <Checkbox labelShown label={label} checked={value === true} onChange={onChange} />
        {help !== null && <p className={styles.hint}>{help}</p>}
      </div>
    );
  if (kind === 'choice')
    return (
      <Select
        {...texts}
        hint={help}
        name={name}
        value={String(value)}
        onChange={(event) => onChange(event.currentTarget.value)}
      >
        {values.map((one) => (
          <option key={one} value={one}>
            {wayWords(one)}
          </option>
        ))}
      </Select>
    );
  if (field.secret) return <SecretField {...props} texts={texts} />;
  return (
    <TextInput
      {...texts}
      hint={hintOf(help, kind === 'list' ? t('list.hint') : '')}
      type="text"
      name={name}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck="false"
      maxLength={4_000}
      value={String(value)}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** Ways of entry have words of their own; what else a gateway lets one choose is its own word. */
const wayWords = (value: string): string =>
  ways.some((way) => way === value) ? t(`way.${value as (typeof ways)[number]}`) : value;

const ways = [
  'providerFrame',
  'providerFields',
  'redirect',
  'ownFieldsToProvider',
  'ownFieldsEncrypted',
  'ownFieldsToUs',
] as const;

const hintOf = (...texts: readonly (string | null)[]): ReactNode => {
  const said = texts.filter((text) => text !== null && text !== '');
  return said.length === 0 ? undefined : said.join(' ');
};

/** Write-only: whether and when it was set, a field for another value, and a way to take it away. */
function SecretField({
  field,
  account,
  value,
  onChange,
  isRemoved,
  onRemove,
  texts,
}: SettingFieldProps & {
  readonly texts: { readonly label: string; readonly optional: string | undefined };
}) {
  const { name, label, kind, help, required } = field;
  const known = account?.secrets.find((one) => one.name === name);
  const isSet = known?.isSet === true;
  const said = isRemoved
    ? t('secret.removed')
    : !isSet
      ? t('secret.never')
      : known.setAt === null
        ? t('secret.set')
        : t('secret.setAt', { day: formatMoment(known.setAt, 'UTC').day });
  return (
    <div className={styles.secret}>
      <TextInput
        {...texts}
        hint={hintOf(help, kind === 'list' ? t('list.hint') : '', said)}
        type="password"
        name={name}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck="false"
        maxLength={4_000}
        placeholder={isSet && !isRemoved ? '••••••••' : ''}
        value={String(value)}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {isSet && !required && (
        <Button size="small" onClick={() => onRemove(!isRemoved)}>
          {t(isRemoved ? 'secret.keep' : 'secret.remove', { label })}
        </Button>
      )}
    </div>
  );
}
