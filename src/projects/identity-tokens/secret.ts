import type { Vault } from '../../base/lib/crypto'
import type { Ids } from '../../base/lib/ids'
import type { IdentitySecretRow } from './queries'

const PREFIX = 'svc_idk_'

export const newIdentitySecret = (ids: Ids): string => PREFIX + ids.token(43)

// Part of the encrypted envelope, so that a sealed secret cannot be copied to another project.
export const contextOf = (projectId: string): string => `${projectId}:identitySecret`

/** The secrets of a project that sign tokens now: the present one, and during an overlap the one before it. */
export interface OpenedSecrets {
  /** The present secret first. */
  secrets: string[]
  /** Whether one of them cannot be opened: the master key is missing or is another one. */
  isAnySealed: boolean
}

export function openSecrets(vault: Vault | null, row: IdentitySecretRow | null, now: number): OpenedSecrets {
  if (row === null) return { secrets: [], isAnySealed: false }
  const isOverlap = row.previousSealed !== null && row.previousUntil !== null && now < row.previousUntil
  const envelopes = isOverlap ? [row.sealed, row.previousSealed] : [row.sealed]
  const opened = envelopes.map((envelope) => vault?.open(envelope ?? '', contextOf(row.projectId)) ?? null)
  const secrets = opened.filter((secret) => secret !== null)
  return { secrets, isAnySealed: secrets.length < opened.length }
}
