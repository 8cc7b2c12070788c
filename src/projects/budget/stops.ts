import type { Context } from '../../base/context'
import { monotonicMs, SECOND } from '../../base/lib/clock'
import type { Budget } from './marks'
import { readBudget } from './service'

const LIFE_MS = 2 * SECOND
const MOST_KEPT = 10_000

/** The budgets of projects that send telemetry. A change by another process is seen within two seconds. */
export class BudgetStops {
  readonly #kept = new Map<string, { until: number; budget: Budget }>()
  #edition = 0

  constructor(private readonly ctx: Context) {}

  async read(projectId: string): Promise<Budget> {
    const held = this.#kept.get(projectId)
    if (held && monotonicMs() < held.until) return held.budget
    const edition = this.#edition
    const budget = await readBudget(this.ctx, projectId)
    if (this.#kept.size >= MOST_KEPT) this.#kept.clear()
    // What was read before a change is not kept after it.
    if (edition === this.#edition) this.#kept.set(projectId, { until: monotonicMs() + LIFE_MS, budget })
    return budget
  }

  forget(projectId: string): void {
    this.#edition++
    this.#kept.delete(projectId)
  }
}
