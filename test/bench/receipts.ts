import { type Arena, type Deployment, SMALL, sizesOf, spread } from './arena'
import { Batches } from './batch'
import { Chains } from './chains'
import { alternate, type Measured, median } from './measure'
import { atLeast, type Figure, growthRow, loadRow, type Row } from './report'
import { bearer, toRequest } from './requests'
import { deviceOf } from './seed'
import { timeVerification } from './yardsticks'

export const RECEIPTS = '/v1/receipts/ios'
export const COMMITS = 2000
const P99_MS = 40

/**
 * New purchases, the same posted again, and new ones with an Idempotency-Key. The certificate chain is already known.
 */
export async function benchReceipts(arena: Arena): Promise<Row[]> {
  const { small, large, rounds, seconds, template, committer } = arena
  const chains = new Chains(template.keys)
  const posts = new Posts(arena, small)
  const [inSmall, keyed] = [new Batches(small.server, seconds), new Batches(small.server, seconds)]
  const inLarge = large && { batches: new Batches(large.server, seconds), posts: new Posts(arena, large) }
  const costs: Cost[] = []
  let bought: string[] = []
  const buy = () => chains.sign(chains.buy())
  const all = await alternate<string>(rounds, {
    fresh: () => {
      bought = inSmall.fill(buy)
      costs.push({ verifyMs: timeVerification(template.keys, bought), commitMs: committer.time(COMMITS) })
      return inSmall.send(bought.map((receipt) => posts.next(receipt)))
    },
    again: () => inSmall.repeat(),
    ...(inLarge ? { inLarge: () => inLarge.batches.send(bought.map((receipt) => inLarge.posts.next(receipt))) } : {}),
    keyed: () => keyed.send(keyed.fill(() => posts.next(buy(), true))),
  })
  return toRows(arena, all as Results, costs.slice(1))
}

interface Cost {
  verifyMs: number
  commitMs: number
}

/** Receipts as the subscribers of a deployment post them, one subscriber after the other. */
class Posts {
  private readonly devices: string[]
  private turn = 0

  constructor(
    private readonly arena: Arena,
    deployment: Deployment,
  ) {
    this.devices = spread(deployment, SMALL).map(deviceOf)
  }

  next(receipt: string, isKeyed = false): Uint8Array {
    const device = this.devices[this.turn++ % this.devices.length] ?? ''
    return toPost(this.arena, device, receipt, isKeyed ? { 'idempotency-key': `bench-${this.turn}` } : {})
  }
}

/** A device's receipt for a month. */
export function toPost(
  { template }: Pick<Arena, 'template'>,
  device: string,
  receipt: string,
  more: Record<string, string> = {},
) {
  const headers = { ...bearer(template.project.publicKey), ...more }
  return toRequest('POST', RECEIPTS, headers, { receipt, appUserId: device, productId: 'pro_monthly' })
}

type Results = Record<'fresh' | 'again' | 'keyed', Measured> & { inLarge?: Measured }

function toRows(arena: Arena, { fresh, again, keyed, inLarge }: Results, costs: readonly Cost[]): Row[] {
  const verifyMs = median(costs.map((cost) => cost.verifyMs))
  const commitMs = median(costs.map((cost) => cost.commitMs))
  arena.say(`one verification ${verifyMs.toFixed(4)} ms, one synced commit ${commitMs.toFixed(4)} ms`)
  const alone: Figure = { value: 1000 / (verifyMs + commitMs), unit: 'req/s' }
  const verified: Figure = { value: 1000 / verifyMs, unit: 'req/s' }
  return [
    loadRow(`POST ${RECEIPTS}, new transaction (yardstick: a verification and a commit)`, fresh, alone, atLeast(0.6)),
    loadRow(`POST ${RECEIPTS}, same receipt again (yardstick: a verification)`, again, verified, atLeast(0.45)),
    loadRow(`POST ${RECEIPTS}, new transaction with Idempotency-Key`, keyed, alone, null),
    {
      what: `POST ${RECEIPTS}, new transaction, p99 with 64 connections`,
      result: { value: fresh.p99Ms, unit: 'ms' },
      yardstick: null,
      aim: { of: 'result', is: 'at most', value: P99_MS },
    },
    ...(inLarge ? [growthRow(`POST ${RECEIPTS}`, sizesOf(arena), fresh, inLarge)] : []),
  ]
}
