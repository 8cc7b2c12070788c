import { type Arena, type Deployment, SMALL, sizesOf, spread } from './arena'
import { alternate, type Measured, median, type Round, runRound } from './measure'
import { AT_LEAST_HALF, type Figure, growthRow, loadRow, type Row } from './report'
import { Buyers, bearer, once, toRequest } from './requests'
import { deviceOf } from './seed'
import { timeVerification } from './yardsticks'

const PATH = '/v1/receipts/ios'
/** Receipts a second, as a first guess. */
const GUESS = 500
const COMMITS = 2000

/** New purchases, the same ones posted again, and new ones under an Idempotency-Key; the chain is known by then. */
export async function benchReceipts(arena: Arena): Promise<Row[]> {
  const { small, large, rounds, template, committer } = arena
  const buyers = new Buyers(template.keys)
  const posts = new Posts(arena, small)
  const inLarge = large && new Posts(arena, large)
  const costs: Cost[] = []
  let bought: string[] = []
  const all = await alternate<string>(rounds, {
    fresh: async () => {
      bought = buyers.buy(posts.size)
      costs.push({ verifyMs: timeVerification(template.keys, bought), commitMs: committer.time(COMMITS) })
      return posts.send(bought)
    },
    again: () => posts.repeat(),
    ...(inLarge ? { inLarge: () => inLarge.send(bought) } : {}),
    keyed: () => posts.send(buyers.buy(posts.size), true),
  })
  return toRows(arena, all as Results, costs.slice(1))
}

interface Cost {
  verifyMs: number
  commitMs: number
}

/** The requests to one deployment; as many a round as the last one had answered in the time of one. */
class Posts {
  size: number
  private readonly devices: string[]
  private turn = 0
  private last: Uint8Array[] = []

  constructor(
    private readonly arena: Arena,
    private readonly deployment: Deployment,
  ) {
    this.size = GUESS * arena.seconds
    this.devices = spread(deployment, SMALL).map(deviceOf)
  }

  async send(receipts: readonly string[], isKeyed = false): Promise<Round> {
    this.last = receipts.map((receipt) => this.toPost(receipt, isKeyed))
    const round = await runRound(this.deployment.server, { next: once(this.last) })
    if (!isKeyed) this.size = Math.ceil(round.perSecond * this.arena.seconds)
    return round
  }

  repeat(): Promise<Round> {
    return runRound(this.deployment.server, { next: once(this.last) })
  }

  private toPost(receipt: string, isKeyed: boolean): Uint8Array {
    const appUserId = this.devices[this.turn++ % this.devices.length] ?? ''
    const key = isKeyed ? { 'idempotency-key': `bench-${this.turn}` } : {}
    const headers = { ...bearer(this.arena.template.project.publicKey), ...key }
    return toRequest('POST', PATH, headers, { receipt, appUserId, productId: 'pro_monthly' })
  }
}

type Results = Record<'fresh' | 'again' | 'keyed', Measured> & { inLarge?: Measured }

function toRows(arena: Arena, { fresh, again, keyed, inLarge }: Results, costs: readonly Cost[]): Row[] {
  const verifyMs = median(costs.map((cost) => cost.verifyMs))
  const commitMs = median(costs.map((cost) => cost.commitMs))
  arena.say(`one verification ${verifyMs.toFixed(4)} ms, one synced commit ${commitMs.toFixed(4)} ms`)
  const alone: Figure = { value: 1000 / (verifyMs + commitMs), unit: 'req/s' }
  const verified: Figure = { value: 1000 / verifyMs, unit: 'req/s' }
  return [
    loadRow(`POST ${PATH}, new transaction (yardstick: a verification and a commit)`, fresh, alone, AT_LEAST_HALF),
    loadRow(`POST ${PATH}, same receipt again (yardstick: a verification)`, again, verified, null),
    loadRow(`POST ${PATH}, new transaction with Idempotency-Key`, keyed, alone, null),
    ...(inLarge ? [growthRow(`POST ${PATH}`, sizesOf(arena), fresh, inLarge)] : []),
  ]
}
