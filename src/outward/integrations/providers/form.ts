import { withoutNulls } from '../json-request'

export type Fields = Readonly<Record<string, string | number | boolean | null | undefined>>

/** The fields as a form or a query; those that are null or undefined are left out. */
export const formOf = (fields: Fields): string =>
  new URLSearchParams(
    Object.entries(withoutNulls(fields)).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString()
