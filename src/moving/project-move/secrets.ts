import { scryptSync } from 'node:crypto'
import { type Static, Type } from '@sinclair/typebox'
import type { Page, RawValue } from '../../base/db/dump'
import { createVault, type Vault } from '../../base/lib/crypto'
import { secureRandom } from '../../base/lib/ids'
import type { Sealed } from './belongings'
import type { TablePlan } from './plan'

/** What the credentials in a file are encrypted with: the master key of their deployment, or a passphrase. */
export const FileKeySchema = Type.Union([
  Type.Object({ kind: Type.Literal('MASTER_KEY') }),
  Type.Object({ kind: Type.Literal('PASSPHRASE'), salt: Type.String(), check: Type.String() }),
])

export type FileKey = Static<typeof FileKeySchema>

const MASTER_KEY: FileKey = { kind: 'MASTER_KEY' }
const CHECK = 'svc-project'
const MEMORY_BYTES = 128 * 1024 * 1024

function vaultOf(passphrase: string, salt: string): Vault {
  const options = { N: 2 ** 16, r: 8, p: 1, maxmem: MEMORY_BYTES }
  return createVault(scryptSync(passphrase.normalize('NFKC'), Buffer.from(salt, 'base64'), 32, options))
}

/** The key for a new file. Without a passphrase the credentials stay as they are stored. */
export function newFileKey(passphrase: string | null): { key: FileKey; vault: Vault | null } {
  if (passphrase === null) return { key: MASTER_KEY, vault: null }
  const salt = Buffer.from(secureRandom(16)).toString('base64')
  const vault = vaultOf(passphrase, salt)
  return { key: { kind: 'PASSPHRASE', salt, check: vault.seal(CHECK, CHECK) }, vault }
}

/** The vault of a file's passphrase; null when it is the wrong one. */
export function openFileKey(key: Extract<FileKey, { kind: 'PASSPHRASE' }>, passphrase: string): Vault | null {
  const vault = vaultOf(passphrase, key.salt)
  return vault.open(key.check, CHECK) === CHECK ? vault : null
}

/** Changes one encrypted value. */
export type Reseal = (envelope: string, context: string, what: () => string) => string

/** The page with every encrypted value changed. */
export function resealPage({ rows }: TablePlan, page: Page, reseal: Reseal): Page {
  const sealed = Object.entries(rows.sealed ?? {})
  if (sealed.length === 0) return page
  return {
    columns: page.columns,
    rows: page.rows.map((row) => {
      const read = (column: string): string => String(row[page.columns.indexOf(column)])
      const changed = [...row]
      for (const [column, one] of sealed) {
        const index = page.columns.indexOf(column)
        changed[index] = resealValue(row[index] ?? null, one, read, reseal)
      }
      return changed
    }),
  }
}

/** A flag as each database writes it. */
const IS_SET = /^(1|t|true)$/

function resealValue(value: RawValue, sealed: Sealed, read: (column: string) => string, reseal: Reseal): RawValue {
  if (typeof value !== 'string') return value
  const change = (envelope: string) => reseal(envelope, sealed.context(read), () => sealed.what(read))
  if (sealed.textWhere !== undefined)
    return IS_SET.test(read(sealed.textWhere)) ? JSON.stringify(change(String(JSON.parse(value)))) : value
  if (sealed.member === undefined) return change(value)
  const members = JSON.parse(value) as Record<string, unknown> // A slice wrote it.
  return JSON.stringify({ ...members, [sealed.member]: change(String(members[sealed.member])) })
}

/** Seals with another vault what the first one opens; the rest stays as it is. */
export const resealing =
  (from: Vault | null, to: Vault | null, onLost: (what: string) => void = () => {}): Reseal =>
  (envelope, context, what) => {
    const text = from?.open(envelope, context) ?? null
    if (text === null || to === null) {
      onLost(what())
      return envelope
    }
    return to.seal(text, context)
  }
