/**
 * The types of the query language. A time is stored as milliseconds since 1970, and an answer has it as ISO 8601 text.
 * JSON can only be shown, or read with `->` and `->>`.
 */
export type SqlType = 'integer' | 'number' | 'text' | 'boolean' | 'time' | 'json' | 'null'

/** A use of a column outside of an aggregate, and the query that the column belongs to. */
export interface ColumnUse {
  readonly level: object
  readonly name: string
}

/** An expression that was checked and written for one database. */
export interface Expr {
  /** Allowed at any place of an expression. */
  readonly sql: string
  readonly type: SqlType
  /** The value, where the query itself names it. */
  readonly constant?: Constant
  /** The same text without its parentheses, where operators of the same rank may follow. */
  readonly chain?: { readonly rank: 'sum' | 'product' | 'texts'; readonly sql: string }
  /** The most stored texts that its value can be made of. */
  readonly texts: number
  readonly uses: readonly ColumnUse[]
  readonly hasAggregate: boolean
  readonly hasWindow: boolean
  /** A time that the clocks of a zone show, which is no instant. */
  readonly isLocal?: boolean
  /** What it reads of a JSON column: the column, and the keys and positions below it. */
  readonly json?: { readonly column: string; readonly path: readonly (string | number)[] }
}

export interface Constant {
  readonly value: string | number | bigint | boolean | null
}

type Written = Pick<Expr, 'sql' | 'type'> & Partial<Expr>

/** An expression that is made of others. */
export const madeOf = (parts: readonly Expr[], written: Written): Expr => ({
  texts: 1,
  uses: parts.flatMap(({ uses }) => uses),
  hasAggregate: parts.some(({ hasAggregate }) => hasAggregate),
  hasWindow: parts.some(({ hasWindow }) => hasWindow),
  ...(written.type === 'time' && parts.some(({ isLocal }) => isLocal) && { isLocal: true }),
  ...written,
})
