/** What the parser makes of a statement: the part of PostgreSQL's SQL that the product's statements use. */
export type Expr =
  | { readonly is: 'value'; readonly value: unknown }
  | { readonly is: 'param'; readonly n: number }
  | { readonly is: 'column'; readonly table: string | undefined; readonly name: string }
  | { readonly is: 'not' | 'negate'; readonly of: Expr }
  | { readonly is: 'and' | 'or'; readonly left: Expr; readonly right: Expr }
  | { readonly is: 'binary'; readonly op: string; readonly left: Expr; readonly right: Expr }
  | { readonly is: 'isNull'; readonly of: Expr; readonly not: boolean }
  | { readonly is: 'isBool'; readonly of: Expr; readonly value: boolean; readonly not: boolean }
  | { readonly is: 'distinct'; readonly left: Expr; readonly right: Expr; readonly not: boolean }
  | { readonly is: 'inList'; readonly of: Expr; readonly list: readonly Expr[]; readonly not: boolean }
  | { readonly is: 'inQuery'; readonly of: Expr; readonly query: Select; readonly not: boolean }
  | { readonly is: 'any'; readonly of: Expr; readonly op: string; readonly array: Expr }
  | {
      readonly is: 'case';
      readonly operand: Expr | undefined;
      readonly whens: readonly (readonly [Expr, Expr])[];
      readonly otherwise: Expr | undefined;
    }
  | { readonly is: 'cast'; readonly of: Expr; readonly type: string }
  | Call
  | { readonly is: 'exists' | 'scalar'; readonly query: Select }
  | { readonly is: 'row' | 'array'; readonly items: readonly Expr[] }
  | { readonly is: 'field'; readonly of: Expr; readonly name: string };

export interface Call {
  readonly is: 'call';
  readonly name: string;
  readonly args: readonly Expr[];
  /** `count(*)` */
  readonly star: boolean;
  readonly orderBy: readonly Order[];
}

export interface Order {
  readonly by: Expr;
  readonly isDescending: boolean;
  readonly nullsFirst: boolean | undefined;
}

export interface Column {
  /** `*` or `alias.*` where the expression is absent. */
  readonly expr: Expr | undefined;
  readonly name: string;
}

export type Source =
  | { readonly is: 'table'; readonly name: string }
  | { readonly is: 'query'; readonly query: Select }
  | { readonly is: 'unnest'; readonly args: readonly Expr[]; readonly withOrdinality: boolean };

export interface FromItem {
  readonly join: 'inner' | 'left' | 'full';
  readonly source: Source;
  readonly alias: string;
  readonly columns: readonly string[];
  readonly on: Expr | undefined;
  readonly using: readonly string[];
}

export interface Cte {
  readonly name: string;
  readonly statement: Statement;
}

export interface Select {
  readonly is: 'select';
  readonly ctes: readonly Cte[];
  readonly isDistinct: boolean;
  readonly columns: readonly Column[];
  readonly from: readonly FromItem[];
  readonly where: Expr | undefined;
  readonly groupBy: readonly Expr[];
  readonly having: Expr | undefined;
  readonly orderBy: readonly Order[];
  readonly limit: Expr | undefined;
  readonly union: { readonly all: boolean; readonly query: Select } | undefined;
}

export interface Assignment {
  readonly column: string;
  readonly expr: Expr;
}

export interface Insert {
  readonly is: 'insert';
  readonly ctes: readonly Cte[];
  readonly table: string;
  readonly alias: string;
  readonly columns: readonly string[];
  /** `default` is undefined. */
  readonly values: readonly (readonly (Expr | undefined)[])[] | undefined;
  readonly query: Select | undefined;
  readonly conflict:
    | {
        readonly columns: readonly string[];
        readonly set: readonly Assignment[] | undefined;
        readonly where: Expr | undefined;
      }
    | undefined;
  readonly returning: readonly Column[];
}

export interface Update {
  readonly is: 'update';
  readonly ctes: readonly Cte[];
  readonly table: string;
  readonly alias: string;
  readonly set: readonly Assignment[];
  readonly from: readonly FromItem[];
  readonly where: Expr | undefined;
  readonly returning: readonly Column[];
}

export interface Delete {
  readonly is: 'delete';
  readonly ctes: readonly Cte[];
  readonly table: string;
  readonly alias: string;
  readonly from: readonly FromItem[];
  readonly where: Expr | undefined;
  readonly returning: readonly Column[];
}

export type Statement = Select | Insert | Update | Delete;
