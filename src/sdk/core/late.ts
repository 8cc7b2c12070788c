import { afterCheckout } from './after-checkout'
import { type Claims, createClaims } from './claims'
import type { Core } from './core'
import type { PurchaseResult, Receipt } from './model'
import { createLife, type Life } from './page'
import { createPlacements, type Placements } from './placements'
import { createQueues, type Queues } from './queues'
import type { Reads } from './reads'
import { expose, postReceipt } from './receipts'
import { openStream } from './stream'
import { createTurns } from './tabs'

const FOREGROUND_AGE = 30_000
const PARTS = ['entitlements', 'config', 'offerings', 'balances'] as const

/** What an app needs later than its first screen. It is a file of its own, which is loaded beside the first answers. */
export interface Late extends Claims, Placements, Pick<Queues, 'flushAttributes' | 'track' | 'later' | 'begin'>, Life {
  afterCheckout(): Promise<void>
  expose(key: string): Promise<void>
  postReceipt(receipt: Receipt): Promise<PurchaseResult>
  /** Follows the configuration until the returned function is called. */
  watch(): () => void
}

export function createLate(core: Core, reads: Reads, bound: () => Promise<void>): Late {
  const queues = createQueues(core, { bound, alone: createTurns(core) })
  const placements = createPlacements(core, bound)
  const claims = createClaims(core, {
    bound,
    claimed(claim, access) {
      if (access) reads.keep('entitlements', { entitlements: access })
      for (const listener of core.listeners.claims) listener(claim)
    },
  })
  return {
    ...claims,
    ...placements,
    ...queues,
    ...createLife(core, queues, () => void reads.refresh(PARTS, FOREGROUND_AGE)),
    afterCheckout: () => afterCheckout(core, reads),
    async expose(key) {
      await bound()
      const variantId = placements.drawn[key] ?? reads.peek('config')?.value.experiments[key]?.variantId
      await expose(core, key, variantId)
    },
    async postReceipt(receipt) {
      await bound()
      return postReceipt(core, reads, receipt)
    },
    watch: () =>
      openStream(core, {
        bound,
        received: (data) => reads.keep('config', data),
        poll: () => reads.refresh(['config']),
      }),
  }
}
