/** What a page's script and the frame with the inputs say to each other. */
import type { FieldError, FieldName } from './card-rules.ts';

export interface StyleRules {
  readonly [property: string]: string | Readonly<Record<string, string>> | undefined;
}

export interface FieldOptions {
  readonly style?: Readonly<Partial<Record<'base' | 'complete' | 'empty' | 'invalid', StyleRules>>>;
  readonly classes?: Readonly<Record<string, string>>;
  readonly placeholder?: string;
  readonly disabled?: boolean;
}

export interface FieldChange {
  /** The element's own name for itself, as it connected. */
  readonly elementType: string;
  readonly empty: boolean;
  readonly complete: boolean;
  readonly brand?: string;
  readonly error?: FieldError;
}

/** Where the frame sends what was typed, and under which names. */
export interface Destination {
  /** Path at the frame's own origin: card data never goes anywhere else. */
  readonly path: string;
  /** Names of the parameters. The year has four digits. */
  readonly names: Readonly<Record<'number' | 'month' | 'year' | 'cvc', string>>;
  /** Form fields beside the card's own. */
  readonly extra: Readonly<Record<string, string>>;
}

/** From the page to the frame. */
export type Order =
  | { readonly do: 'update'; readonly options: FieldOptions }
  | { readonly do: 'focus' | 'blur' | 'clear' }
  | { readonly do: 'send'; readonly id: number; readonly to: Destination };

/** First message to the frame; it carries the port for all others. */
export interface Connect {
  readonly sandbox: 'connect';
  readonly type: string;
  readonly fields: readonly FieldName[];
  readonly group: string;
  readonly options: FieldOptions;
}

/** From the frame to the page. */
export type Report =
  | { readonly event: 'ready' | 'focus' | 'blur' | 'escape' | 'enter' }
  | { readonly event: 'height'; readonly height: number }
  | { readonly event: 'change'; readonly change: FieldChange }
  | { readonly event: 'result'; readonly id: number; readonly body: Readonly<Record<string, unknown>> };
