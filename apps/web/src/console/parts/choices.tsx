import { Checkbox } from '../../ui/fields/checkbox.tsx';
import styles from './choices.module.css';

interface ChoicesProps<Choice extends string> {
  readonly legend: string;
  /** Their names are what is stored, and shown as they are. */
  readonly all: readonly Choice[];
  readonly chosen: readonly Choice[];
  readonly onChange: (chosen: readonly Choice[]) => void;
}

/** Any number of many, each with a box. */
export const Choices = <Choice extends string>({ legend, all, chosen, onChange }: ChoicesProps<Choice>) => (
  <fieldset>
    <legend className={styles.legend}>{legend}</legend>
    <div className={styles.all}>
      {all.map((one) => (
        <Checkbox
          key={one}
          labelShown
          label={one}
          checked={chosen.includes(one)}
          onChange={(isChecked) =>
            onChange(isChecked ? [...chosen, one] : chosen.filter((other) => other !== one))
          }
        />
      ))}
    </div>
  </fieldset>
);
