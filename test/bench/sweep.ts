import { readConfig } from '../../src/base/config'
import type { Context } from '../../src/base/context'
import { createContext } from '../../src/create-context'
import { sweepPurchases } from '../../src/intake/recording/sweep'
import { TestClock } from '../support/context'
import { type Arena, type Deployment, folderOf, sizesOf } from './arena'
import { alternate, type Measured, pieceRound } from './measure'
import { growthRow, loadRow, type Row } from './report'
import { endStepMs } from './seed'

/** Number of purchases that end between two ticks. */
const DUE = 500

/**
 * The sweep that records expirations, in this process while the server is idle. A clock a month ahead makes the same
 * number of purchases due each time, for every size.
 */
export async function benchSweep(arena: Arena): Promise<Row[]> {
  const { small, large, rounds, committer } = arena
  const [inSmall, inLarge] = [await Ticks.open(arena, small), large && (await Ticks.open(arena, large))]
  const all = await alternate<string>(rounds, {
    commits: async () => pieceRound(DUE, committer.time(DUE) * DUE),
    inSmall: () => inSmall.next(),
    ...(inLarge ? { inLarge: () => inLarge.next() } : {}),
  })
  await Promise.all([inSmall, inLarge].map((ticks) => ticks?.close()))
  return toRows(arena, all as Results)
}

class Ticks {
  private constructor(
    private readonly ctx: Context,
    private readonly clock: TestClock,
    private readonly stepMs: number,
  ) {}

  static async open({ folder, template }: Arena, { subscribers }: Deployment): Promise<Ticks> {
    const env = { SVC_DATA_DIR: folderOf(folder, subscribers), SVC_MASTER_KEY: 'off', SVC_LOG_LEVEL: 'warn' }
    const clock = new TestClock(template.latest.expiresDate ?? 0)
    return new Ticks(await createContext(readConfig(env), { clock }), clock, endStepMs(subscribers))
  }

  async next() {
    this.clock.advance(DUE * this.stepMs)
    const startedAt = performance.now()
    const count = await sweepPurchases(this.ctx)
    const round = pieceRound(count, performance.now() - startedAt)
    return count === DUE ? round : { ...round, faults: { [`${count} told`]: 1 } }
  }

  close(): Promise<void> {
    return this.ctx.close()
  }
}

type Results = Record<'commits' | 'inSmall', Measured> & { inLarge?: Measured }

function toRows(arena: Arena, { commits, inSmall, inLarge }: Results): Row[] {
  const what = `expiry sweep, ${DUE} purchases due`
  const alone = { value: commits.perSecond, unit: 'req/s' as const }
  return [
    loadRow(`${what} (yardstick: a commit each)`, inSmall, alone, null),
    ...(inLarge ? [growthRow(what, sizesOf(arena), inSmall, inLarge)] : []),
  ]
}
