/** What becomes of a column of a row about a person, wherever such rows leave the database or a person leaves. */
export interface ColumnUse {
  /** At an erasure. `CLEARED`: the value is replaced by one without information. `HASHED`: by a hash of it. */
  erasure: 'KEPT' | 'CLEARED' | 'HASHED'
  /** In the export that a person gets of their own data. */
  export: 'SHOWN' | 'HIDDEN'
  /** In the files of the data export of a project. */
  data: 'EXPORTED' | 'LEFT_OUT'
  /** In the copy in ClickHouse. */
  mirror: 'COPIED' | 'LEFT_OUT'
  /** In an anonymised copy of a project. `TEXT`: the value is replaced by a made-up one of its kind. */
  fork: 'KEEP' | 'PSEUDONYM' | 'DROP' | 'TEXT'
}

/** The names of the columns with one use: `ColumnsWith<typeof SUBSCRIBER_COLUMNS, 'erasure', 'CLEARED'>`. */
export type ColumnsWith<Uses, Part extends keyof ColumnUse, Value extends ColumnUse[Part]> = {
  [Name in keyof Uses]: Uses[Name] extends Record<Part, Value> ? Name : never
}[keyof Uses]

/** The same at run time, in the order of the map. */
export const columnsWith = <Uses extends Record<string, ColumnUse>, Part extends keyof ColumnUse>(
  uses: Uses,
  part: Part,
  value: ColumnUse[Part],
): string[] => Object.entries(uses).flatMap(([name, use]) => (use[part] === value ? [name] : []))

/** `firstSeenAt` as the columns of exported files are named: `first_seen_at`. */
export type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : ''
