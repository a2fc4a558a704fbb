import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { reportFailure } from '../../lib/error-banner.ts';
import { saveFile } from '../../lib/files/save-file.ts';
import { Button } from '../../ui/fields/button.tsx';
import { Select } from '../../ui/fields/select.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Loaded } from '../parts/box.tsx';
import styles from './imports.module.css';
import { t } from './messages.ts';
import { getTemplate, importQueries } from './queries.ts';

/** A file of a kind to fill in. */
export function Templates() {
  const query = useQuery(importQueries.kinds());
  const [chosen, setChosen] = useState('customers');
  const [isBusy, setBusy] = useState(false);
  return (
    <Loaded query={query} height="3rem">
      {(kinds) => (
        <div className={styles.templates}>
          <Select
            label={t('template.kind')}
            value={chosen}
            onChange={(event) => setChosen(event.currentTarget.value)}
          >
            {kinds.map(({ name, title }) => (
              <option key={name} value={name}>
                {title}
              </option>
            ))}
          </Select>
          <Button
            busy={isBusy}
            busyLabel={t('template.busy')}
            onClick={() => {
              setBusy(true);
              void getTemplate(chosen)
                .then((file) => saveFile(file, `${chosen}.csv`), reportFailure)
                .finally(() => setBusy(false));
            }}
          >
            <Icon name="download" />
            {t('template.get')}
          </Button>
        </div>
      )}
    </Loaded>
  );
}
