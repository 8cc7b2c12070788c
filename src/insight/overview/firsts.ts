import type { Context } from '../../base/context'
import { findFirstCall, findFirstPurchase, findTraceOfCalls, insertFirstCall } from './queries'

/** When something happened to a project for the first time; null = not yet. */
export interface Firsts {
  call: number | null
  purchase: number | null
}

/** The first uses of keys. A request only notes them; they are written within a second. */
export class FirstCalls {
  private readonly noted = new Map<string, number>()
  private readonly kept = new Map<string, number>()

  constructor(private readonly ctx: Context) {}

  note(projectId: string, at: number): void {
    if (!this.noted.has(projectId)) this.noted.set(projectId, at)
  }

  async find(projectId: string): Promise<number | null> {
    const { ctx } = this
    const known = this.kept.get(projectId) ?? (await findFirstCall(ctx, projectId))
    if (known !== null) this.kept.set(projectId, known)
    return known ?? earlier(await findTraceOfCalls(ctx, projectId), this.noted.get(projectId) ?? null)
  }

  /** Writes what was noted. What another process has written stays. */
  async save(): Promise<void> {
    for (const [projectId, at] of [...this.noted]) {
      if ((await findFirstCall(this.ctx, projectId)) === null) await this.insert(projectId, at)
      this.noted.delete(projectId)
    }
  }

  private insert = (projectId: string, at: number): Promise<void> =>
    this.ctx.write(async (tx) => {
      const trace = await findTraceOfCalls(tx, projectId)
      await insertFirstCall(tx, projectId, earlier(trace, at) ?? at)
    })
}

const earlier = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.min(a, b)

export const readFirsts = async (ctx: Context, projectId: string): Promise<Firsts> => ({
  call: await ctx.state.firstCalls.find(projectId),
  purchase: await findFirstPurchase(ctx, projectId),
})
