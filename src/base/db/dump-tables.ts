import type { Storage } from './handle'
import { migrationsOf } from './migrate'

/**
 * What the migrations of this executable make, in their order, whether or not a later one drops it. The migrations and
 * not the table definitions are asked, because a database may be at an older state than this executable.
 */
export const tablesOf = (storage: Storage): string[] =>
  namesIn(storage, /\b(?:CREATE TABLE(?: IF NOT EXISTS)?|RENAME TO)\s+[`"]?(\w+)[`"]?/gi)

export const functionsOf = (storage: Storage): string[] =>
  namesIn(storage, /\bCREATE(?: OR REPLACE)? FUNCTION\s+"?(\w+)"?/gi)

function namesIn(storage: Storage, pattern: RegExp): string[] {
  const found = migrationsOf(storage).flatMap(({ text }) => [...text.matchAll(pattern)])
  return [...new Set(found.flatMap(([, name]) => name ?? []))]
}
