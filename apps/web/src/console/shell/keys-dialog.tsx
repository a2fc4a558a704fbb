import { useState } from 'react';
import { t as common } from '../../text/common.ts';
import { Button } from '../../ui/fields/button.tsx';
import { Checkbox } from '../../ui/fields/checkbox.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Key } from '../parts/key.tsx';
import { t } from './messages.ts';
import styles from './shell.module.css';
import { lettersAct, setLettersAct } from './use-keys.ts';

const rows = [
  [['/'], 'key.find'],
  [['G', 'T'], 'key.today'],
  [['G', 'C'], 'key.customers'],
  [['G', 'P'], 'key.payments'],
  [['G', 'Y'], 'key.autoPay'],
  [['G', 'L'], 'key.payLinks'],
  [['G', 'E'], 'key.mails'],
  [['G', 'W'], 'key.webhooks'],
  [['G', 'J'], 'key.jobs'],
  [['G', 'M'], 'key.imports'],
  [['G', 'A'], 'key.audit'],
  [['G', 'B'], 'key.brands'],
  [['G', 'G'], 'key.gateways'],
  [['G', 'O'], 'key.operators'],
  [['J'], 'key.down'],
  [['K'], 'key.up'],
  [['↵'], 'key.open'],
  [['E'], 'key.act'],
  [['Z'], 'key.snooze'],
  [['N'], 'key.next'],
  [['S'], 'key.signInAs'],
  [['U'], 'key.invite'],
  [['L'], 'key.lookUp'],
  [['R'], 'key.refund'],
  [['⌘', 'S'], 'key.publish'],
  [['U'], 'key.upload'],
  [['S'], 'key.start'],
  [['F'], 'key.correct'],
  [['T'], 'key.retry'],
  [['?'], 'key.all'],
] as const;

/** Every key with what it does, and the switch that turns letters off. */
export function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  const [act, setAct] = useState(lettersAct);
  return (
    <Dialog
      title={t('keys.title')}
      open
      onClose={onClose}
      actions={<Button onClick={onClose}>{common('action.close')}</Button>}
    >
      <dl className={styles.keys}>
        {rows.map(([keys, text]) => (
          <div key={text}>
            <dt>{t(text)}</dt>
            <dd>
              {keys.map((key) => (
                <Key key={key}>{key}</Key>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <Checkbox
        labelShown
        label={t('keys.off')}
        checked={act}
        onChange={(checked) => {
          setAct(checked);
          setLettersAct(checked);
        }}
      />
      <p className={styles.muted}>{t('keys.offHint')}</p>
    </Dialog>
  );
}
