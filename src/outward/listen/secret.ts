import type { Context } from '../../base/context'
import { requireVault } from '../../base/errors'
import type { Vault } from '../../base/lib/crypto'
import { toSecret } from '../webhooks/sign'

/**
 * The signing secret of `svc listen` for a project: made from the master key, so that it is the same at every start and
 * the program that receives need not be started again. Null without a master key.
 */
export const listenSecret = ({ vault }: Pick<Context, 'vault'>, projectId: string): string | null =>
  vault && secretOf(vault, projectId)

const secretOf = (vault: Vault, projectId: string): string => toSecret(vault.derive(`svc listen ${projectId}`))

/** 503 `FEATURE_NOT_CONFIGURED` (`listen_secret`) without a master key. */
export const requireListenSecret = (ctx: Pick<Context, 'vault'>, projectId: string): string =>
  secretOf(requireVault(ctx, 'listen_secret'), projectId)
