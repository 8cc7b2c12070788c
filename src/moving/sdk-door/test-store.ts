import type { Context, Tx } from '../../base/context'
import { AppError } from '../../base/errors'
import { sha256Hex } from '../../base/lib/hash'
import type { ProjectState } from '../../projects/project/state'
import { claimToken } from './queries'
import { INVALID_RECEIPT, SdkRefusal } from './refusal'

/** A purchase at the built-in test store. */
export interface TestSale {
  deviceKey: string
  /** The identifier of the product. */
  product: string
}

declare module '../../base/state' {
  interface SliceHooks {
    /**
     * Makes a purchase at the built-in test store. Gives the reason when it sells nothing there. `onSale` runs in the
     * transaction that sells: when it throws, nothing is sold.
     */
    sdkTestSale: (
      ctx: Context,
      project: ProjectState,
      sale: TestSale,
      onSale: (tx: Tx) => Promise<void>,
    ) => Promise<string | null>
  }
}

class UsedToken extends Error {}

/** Buys at the test store with a token that the app chose. Each token buys once; a repetition buys nothing. */
export async function buyAtTestStore(
  ctx: Context,
  project: ProjectState,
  { token, ...sale }: TestSale & { token: string },
): Promise<void> {
  const [sell] = ctx.hooks.sdkTestSale ?? []
  if (!sell) throw new AppError('FEATURE_NOT_CONFIGURED', { feature: 'test_store' })
  const tokenHash = sha256Hex(token)
  try {
    const why = await sell(ctx, project, sale, async (tx) => {
      const isNew = await claimToken(tx, { projectId: project.id, tokenHash, createdAt: tx.clock.now() })
      if (!isNew) throw new UsedToken()
    })
    if (why !== null) throw new SdkRefusal(400, INVALID_RECEIPT, why)
  } catch (error) {
    if (!(error instanceof UsedToken)) throw error
  }
}
