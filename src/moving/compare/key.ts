import type { Context } from '../../base/context'
import { requireVault } from '../../base/errors'

type WithVault = Pick<Context, 'vault'>

// Part of the envelope, so that a key cannot be copied to another project.
export const contextOf = (projectId: string): string => `compare:${projectId}`

/** Encrypts the vendor's key. 503 `FEATURE_NOT_CONFIGURED` on a deployment without a master key. */
export const sealKey = (ctx: WithVault, projectId: string, key: string): string =>
  requireVault(ctx).seal(key, contextOf(projectId))

/** Null when this master key cannot open it. */
export const openKey = ({ vault }: WithVault, projectId: string, sealed: string): string | null =>
  vault?.open(sealed, contextOf(projectId)) ?? null

export const isKey = (text: string): boolean => /^[\x21-\x7e]{8,512}$/.test(text)
