import type { Tx } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { requireVault } from '../../base/errors'
import type { Vault } from '../../base/lib/crypto'
import {
  deleteStoreSettings,
  listStoreSettings,
  type StoreSettingsRow,
  upsertStoreSettings,
} from '../project/admin-queries'
import { listForwardRows, urlsIn, withForwards, withoutForwards, writeForwards } from './forwards/forwards'
import type { ForwardRow } from './forwards/queries'

/** The sections of a project's store settings, in the order of the project file. */
export const STORE_SECTIONS = ['ios', 'android', 'payment', 'refundShield', 'commissionRates'] as const
export type StoreSection = (typeof STORE_SECTIONS)[number]

/** Secret members by their path in the section: `inAppPurchaseKey.privateKey` -> PEM text. */
export type Secrets = Readonly<Record<string, string>>

/** A section as it is stored. */
export interface SavedSettings {
  /** The members that are not secret. */
  config: Record<string, unknown>
  hasSecrets: boolean
  /** Null when there are secrets and this master key cannot decrypt them. */
  secrets: Secrets | null
}

/** All saved sections of a project with decrypted secrets. Only for code that calls the stores, never for an answer. */
export async function loadStoreSettings(
  handle: Handle,
  vault: Vault | null,
  projectId: string,
): Promise<Map<StoreSection, SavedSettings>> {
  const rows = await listStoreSettings(handle, projectId)
  const forwards = rows.length === 0 ? [] : await listForwardRows(handle, projectId)
  const known = rows.filter(({ section }) => isStoreSection(section))
  return new Map(known.map((row) => [row.section as StoreSection, openSettings(vault, row, forwards)]))
}

/** Whether the project can take payments on the web. */
export const hasPaymentAccount = async (handle: Handle, projectId: string): Promise<boolean> =>
  (await listStoreSettings(handle, projectId)).some(({ section }) => section === 'payment')

const isStoreSection = (name: string): name is StoreSection => STORE_SECTIONS.some((section) => section === name)

const openSettings = (vault: Vault | null, row: StoreSettingsRow, forwards: readonly ForwardRow[]): SavedSettings => ({
  config: withForwards(row.section, row.config, forwards),
  hasSecrets: row.sealed !== null,
  secrets: row.sealed === null ? {} : openSecrets(vault, row.sealed, contextOf(row.projectId, row.section)),
})

function openSecrets(vault: Vault | null, sealed: string, context: string): Secrets | null {
  const text = vault?.open(sealed, context) ?? null
  return text === null ? null : (JSON.parse(text) as Secrets) // `saveStoreSettings` wrote it.
}

// Part of the encrypted envelope, so that a sealed row cannot be copied to another project or store.
export const contextOf = (projectId: string, section: string): string => `${projectId}:${section}`

export interface NewSettings {
  config: Record<string, unknown>
  /** `keep` leaves the saved secrets as they are. */
  secrets: Secrets | 'keep'
}

/**
 * Saves one section as a whole, its forwards included. Secrets are encrypted with the master key: 503 `FEATURE_NOT_CONFIGURED`
 * `credential_encryption` when there are secrets and the deployment has no master key.
 */
export async function saveStoreSettings(
  tx: Tx,
  projectId: string,
  section: StoreSection,
  settings: NewSettings,
): Promise<void> {
  const { config, secrets } = settings
  const saved = (await listStoreSettings(tx, projectId)).find((row) => row.section === section)
  const now = tx.clock.now()
  const sealed =
    secrets === 'keep' ? (saved?.sealed ?? null) : sealSecrets(tx.vault, contextOf(projectId, section), secrets)
  await upsertStoreSettings(tx, {
    projectId,
    section,
    config: withoutForwards(config),
    sealed,
    createdAt: saved?.createdAt ?? now,
    updatedAt: now,
  })
  await writeForwards(tx, projectId, section, urlsIn(config))
}

/** Removes one section with its forwards. */
export async function removeStoreSettings(tx: Tx, projectId: string, section: StoreSection): Promise<void> {
  await deleteStoreSettings(tx, projectId, section)
  await writeForwards(tx, projectId, section, [])
}

function sealSecrets(vault: Vault | null, context: string, secrets: Secrets): string | null {
  if (Object.keys(secrets).length === 0) return null
  return requireVault({ vault }).seal(JSON.stringify(secrets), context)
}
