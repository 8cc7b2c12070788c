import type { Migration } from './migrations'

/**
 * The tables that the migrations create, in their order, also those that a later migration drops. It does not use the
 * table definitions, because a database can be at an older state than this executable.
 */
export const tablesOf = (migrations: readonly Migration[]): string[] =>
  namesIn(migrations, /\b(?:CREATE TABLE(?: IF NOT EXISTS)?|RENAME TO)\s+[`"]?(\w+)[`"]?/gi)

export const functionsOf = (migrations: readonly Migration[]): string[] =>
  namesIn(migrations, /\bCREATE(?: OR REPLACE)? FUNCTION\s+"?(\w+)"?/gi)

function namesIn(migrations: readonly Migration[], pattern: RegExp): string[] {
  const found = migrations.flatMap(({ text }) => [...text.matchAll(pattern)])
  return [...new Set(found.flatMap(([, name]) => name ?? []))]
}
