import type { FunnelPage, FunnelRule } from '../../../../core/funnel/model'

export interface PlacedPage {
  page: FunnelPage
  column: number
  row: number
}

export interface Way {
  from: string
  to: string
  /** Null = the way that is taken when no rule matches. */
  rule: FunnelRule | null
}

export const COLUMNS = 5

/**
 * The places of the pages' cards: one column for each step on the shortest way from the first page, below each other
 * what is as far. Long funnels continue in the next band of rows. Pages that nothing leads to come last.
 */
export function layoutOf(pages: readonly FunnelPage[], columns = COLUMNS): PlacedPage[] {
  const depths = depthsOf(pages)
  const last = Math.max(-1, ...depths.values())
  const placed: PlacedPage[] = []
  let top = 0
  const unreached = pages.filter(({ id }) => !depths.has(id))
  for (let band = 0; band * columns <= last; band++) {
    const inBand = pages.filter(({ id }) => Math.floor((depths.get(id) ?? -columns) / columns) === band)
    top += placeBand(placed, inBand, (page) => (depths.get(page.id) ?? 0) % columns, top)
  }
  placeBand(placed, unreached, (page) => unreached.indexOf(page) % columns, top)
  return placed
}

/** Places the pages of a band from this row on; returns how many rows it takes. */
function placeBand(
  placed: PlacedPage[],
  pages: readonly FunnelPage[],
  columnOf: (page: FunnelPage) => number,
  top: number,
) {
  const heights = new Map<number, number>()
  for (const page of pages) {
    const column = columnOf(page)
    const height = heights.get(column) ?? 0
    placed.push({ page, column, row: top + height })
    heights.set(column, height + 1)
  }
  return Math.max(0, ...heights.values())
}

function depthsOf(pages: readonly FunnelPage[]): Map<string, number> {
  const byId = new Map(pages.map((page) => [page.id, page]))
  const first = pages[0]
  const depths = new Map(first ? [[first.id, 0]] : [])
  // A map visits what is added while it is visited.
  for (const [id, depth] of depths)
    for (const { to } of waysFrom(byId.get(id))) if (byId.has(to) && !depths.has(to)) depths.set(to, depth + 1)
  return depths
}

/** The ways from a page, rules first. */
export const waysFrom = (page: FunnelPage | undefined): Way[] =>
  page === undefined
    ? []
    : [
        ...page.next.rules.map((rule) => ({ from: page.id, to: rule.to, rule })),
        ...(page.next.default === null ? [] : [{ from: page.id, to: page.next.default, rule: null }]),
      ]
