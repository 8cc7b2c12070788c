import type { Cell } from '../figures/cells'
import type { ChartSeries } from './chart'
import type { LifeCell, Lifeline, Reckoner } from './reckoner'

/** Collects subscriptions into the cells of their first charges; the window is one cell more. */
export class LifeSeries<Digest> {
  private readonly collected: { cell: Cell; lives: LifeCell<Digest> }[]
  private readonly whole: LifeCell<Digest>

  constructor(
    cells: readonly Cell[],
    private readonly window: Cell,
    private readonly reckoner: Reckoner<Digest>,
  ) {
    this.collected = cells.map((cell) => ({ cell, lives: reckoner.cell() }))
    this.whole = reckoner.cell()
  }

  add(life: Lifeline): void {
    const digest = this.reckoner.digest(life)
    const isIn = ({ start, end }: Cell) => life.firstChargedAt >= start && life.firstChargedAt < end
    if (isIn(this.window)) this.whole.add(digest)
    for (const { cell, lives } of this.collected) if (isIn(cell)) lives.add(digest)
  }

  read(): ChartSeries {
    const series = this.collected.map(({ cell, lives }) => ({ start: cell.start, values: lives.values() }))
    return { series, totals: this.whole.values() }
  }
}
