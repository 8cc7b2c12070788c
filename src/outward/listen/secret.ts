import type { Context } from '../../base/context'
import { AppError } from '../../base/errors'
import { toSecret } from '../webhooks/sign'

/**
 * The signing secret of `svc listen` for a project: made from the master key, so that it is the same at every start and
 * the program that receives need not be started again. Null without a master key.
 */
export const listenSecret = ({ vault }: Pick<Context, 'vault'>, projectId: string): string | null =>
  vault && toSecret(vault.derive(`svc listen ${projectId}`))

/** 503 `FEATURE_NOT_CONFIGURED` (`listen_secret`) without a master key. */
export function requireListenSecret(ctx: Pick<Context, 'vault'>, projectId: string): string {
  const secret = listenSecret(ctx, projectId)
  if (secret === null) throw new AppError('FEATURE_NOT_CONFIGURED', { feature: 'listen_secret' })
  return secret
}
