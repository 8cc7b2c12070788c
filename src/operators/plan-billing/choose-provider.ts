import type { Context } from '../../base/context'
import { AppError } from '../../base/errors'
import { requireCloud } from '../../projects/billing/service'
import { liveProvider } from './live-provider'
import type { BillingProvider } from './provider'

declare module '../../base/state' {
  interface SliceHooks {
    /** The built-in test store as the provider of a project's billing. */
    billingTestStore: (ctx: Context, projectId: string) => BillingProvider
  }
}

/** The provider, or 503 where none is configured or its keys are refused. */
export function requireProvider(ctx: Context, projectId: string): BillingProvider {
  const cloud = requireCloud(ctx)
  if (cloud.areLiveKeysRefused)
    throw new AppError('FEATURE_NOT_CONFIGURED', { feature: 'billing', reason: 'live_keys_refused' })
  const [testStore] = ctx.hooks.billingTestStore ?? []
  if (cloud.provider === 'TEST_STORE' && testStore) return testStore(ctx, projectId)
  if (cloud.provider === null || cloud.provider === 'TEST_STORE')
    throw new AppError('FEATURE_NOT_CONFIGURED', { feature: 'billing' })
  return liveProvider(ctx, cloud, cloud.provider)
}
