import { Outcome } from '../../ui/overlays/outcome.tsx';

/** Says above a page what was just done, where there is something to say. */
export const Done = ({
  words,
  onClose,
}: {
  readonly words: string | undefined;
  readonly onClose: () => void;
}) =>
  words === undefined ? null : (
    <Outcome key={words} tone="success" onClose={onClose}>
      {words}
    </Outcome>
  );
