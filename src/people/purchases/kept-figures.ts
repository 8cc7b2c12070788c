import { MINUTE } from '../../base/lib/clock'

const LIFE_MS = MINUTE
const MOST_KEPT = 500

/**
 * Figures that are computed from many rows, by name, for a minute. Callers who ask at the same time wait for one
 * computation.
 */
export class KeptFigures<Figures> {
  private readonly kept = new Map<string, { until: number; figures: Promise<Figures> }>()

  read(name: string, now: number, compute: () => Promise<Figures>): Promise<Figures> {
    const held = this.kept.get(name)
    if (held && now < held.until && now >= held.until - LIFE_MS) return held.figures
    const figures = compute()
    this.put(name, { until: now + LIFE_MS, figures })
    figures.catch(() => this.kept.delete(name))
    return figures
  }

  private put(name: string, entry: { until: number; figures: Promise<Figures> }): void {
    this.kept.delete(name)
    this.kept.set(name, entry)
    const [oldest] = this.kept.keys()
    if (this.kept.size > MOST_KEPT && oldest !== undefined) this.kept.delete(oldest)
  }
}
