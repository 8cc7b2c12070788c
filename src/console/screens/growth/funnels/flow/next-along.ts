import type { FunnelPage } from '../../../../../core/funnel/model'
import { waysFrom } from '../layout'

/** The page that the arrow keys to the right and to the left lead to, along the ways; null = none. */
export function nextAlong(pages: readonly FunnelPage[], id: string, key: string): string | null {
  const page = pages.find((one) => one.id === id)
  if (key === 'ArrowRight') return waysFrom(page).findLast(({ to }) => pages.some((one) => one.id === to))?.to ?? null
  return pages.find((one) => waysFrom(one).some(({ to }) => to === id))?.id ?? null
}

/** The card above or below another one on the screen, as near as possible; null = none. */
export function cardBeside(place: HTMLElement, from: HTMLElement, isBelow: boolean): string | null {
  const here = from.getBoundingClientRect()
  const distance = (card: HTMLElement) => {
    const { left, top } = card.getBoundingClientRect()
    return (isBelow ? top - here.top : here.top - top) + Math.abs(left - here.left) / 1000
  }
  const cards = [...place.querySelectorAll<HTMLElement>('[data-page]')].filter((card) => distance(card) >= 1)
  return cards.sort((a, b) => distance(a) - distance(b))[0]?.dataset.page ?? null
}
