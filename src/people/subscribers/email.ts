import { type Column, is, type SQL, sql } from 'drizzle-orm'
import { PgColumn } from 'drizzle-orm/pg-core'

/**
 * The e-mail address of a row in lower case, null without one. An index has this expression, so it follows every write
 * of the attributes: of devices, servers, merges and erasures.
 */
export const emailOf = (attributes: Column): SQL<string | null> =>
  is(attributes, PgColumn)
    ? sql<string | null>`lower((${attributes} -> '$email' ->> 'value') collate "C")`
    : sql<string | null>`lower(${attributes} ->> '$."$email".value')`

/** Lower case of A to Z only, as the databases do it in `emailOf`. */
export const toEmailText = (text: string): string =>
  text.replace(/[A-Z]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 32))
