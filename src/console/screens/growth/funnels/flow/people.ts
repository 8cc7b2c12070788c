import type { FunnelPage } from '../../../../../core/funnel/model'
import type { Schemas } from '../../../../api/schemas'
import { type Way, waysFrom } from '../layout'

export type PageFigures = ReadonlyMap<string, Pick<Schemas['FunnelPageStats'], 'ways'>>

export interface CountedWay extends Way {
  /** How many sessions took it; null = not known, or counted with the way before it to the same page. */
  people: number | null
}

/** The ways from a page, each with how many took it. Statistics know the page that came next, not the rule. */
export function countedWays(page: FunnelPage, figures: PageFigures): CountedWay[] {
  const known = figures.get(page.id)?.ways
  const ways = waysFrom(page)
  return ways.map((way, index) => {
    const isCounted = known !== undefined && ways.findIndex(({ to }) => to === way.to) === index
    return { ...way, people: isCounted ? (known.find(({ to }) => to === way.to)?.sessions ?? 0) : null }
  })
}

const LEAST = 1.5
const MOST = 4

/** How wide the line of a way is, in pixels: the widest for the way that most took. */
export const lineWidth = ({ people }: CountedWay, most: number): number =>
  people === null || most === 0 ? LEAST : LEAST + ((MOST - LEAST) * people) / most
