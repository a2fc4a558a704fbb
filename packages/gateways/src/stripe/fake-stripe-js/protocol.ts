/** What the page's script and the frame with the inputs say to each other. */
import type { FieldError } from './card-rules.ts';

export type ElementType = 'card' | 'cardNumber' | 'cardExpiry' | 'cardCvc';

export interface StyleRules {
  readonly [property: string]: string | Readonly<Record<string, string>> | undefined;
}

export interface ElementOptions {
  readonly style?: Readonly<Partial<Record<'base' | 'complete' | 'empty' | 'invalid', StyleRules>>>;
  readonly classes?: Readonly<Record<string, string>>;
  readonly placeholder?: string;
  readonly disabled?: boolean;
  readonly hideIcon?: boolean;
  readonly showIcon?: boolean;
  readonly hidePostalCode?: boolean;
  readonly iconStyle?: string;
  readonly disableLink?: boolean;
}

export interface ElementChange {
  readonly elementType: ElementType;
  readonly empty: boolean;
  readonly complete: boolean;
  readonly brand?: string;
  readonly error?: FieldError;
}

/** From the page to the frame. */
export type Order =
  | { readonly do: 'update'; readonly options: ElementOptions }
  | { readonly do: 'focus' | 'blur' | 'clear' }
  | {
      readonly do: 'token' | 'method';
      readonly id: number;
      readonly key: string;
      /** Form fields beside the card's own. */
      readonly extra: Readonly<Record<string, string>>;
    };

/** First message to the frame; it carries the port for all others. */
export interface Connect {
  readonly sandbox: 'connect';
  readonly type: ElementType;
  readonly group: string;
  readonly options: ElementOptions;
}

/** From the frame to the page. */
export type Report =
  | { readonly event: 'ready' | 'focus' | 'blur' | 'escape' | 'enter' }
  | { readonly event: 'height'; readonly height: number }
  | { readonly event: 'change'; readonly change: ElementChange }
  | { readonly event: 'result'; readonly id: number; readonly body: Readonly<Record<string, unknown>> };
