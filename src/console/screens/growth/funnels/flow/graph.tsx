import { useRef } from 'react'
import { useWidth } from '../../../../kit/charts/width'
import { ScrollBox } from '../../../../kit/scroll-box'
import { Count, Share } from '../../../../kit/values'
import { cx } from '../../../../lib/class-names'
import { useText } from '../../../../text/catalogue'
import { layoutOf, type PlacedPage, type Way } from '../layout'
import { conditionsInWords, pageName } from '../lines'
import type { Builder } from '../use-funnel-edit'
import { useFunnelWords } from '../use-words'
import { type CountedWay, countedWays, lineWidth } from './people'
import { usePageFigures } from './use-page-figures'

export interface FlowProps {
  builder: Builder
  chosen: string | null
  onChoose: (id: string) => void
  onOpen: (id: string) => void
}

const CARD = { width: 156, height: 92 }
const STEP = { x: 236, y: 132 }
const EDGE = 16

const cornerOf = ({ column, row }: PlacedPage) => ({ x: EDGE + column * STEP.x, y: EDGE + row * STEP.y })

/** As many columns as the window has place for, and at least two. */
const columnsIn = (width: number): number => Math.max(2, Math.floor((width - EDGE * 2 + STEP.x - CARD.width) / STEP.x))

/** Pages as cards, and lines with the rules that lead from one to the other. */
export function Graph({ builder, chosen, onChoose, onOpen }: FlowProps) {
  const t = useText('funnels')
  const { pages } = builder.state
  const box = useRef<HTMLDivElement>(null)
  const columns = columnsIn(useWidth(box))
  const placed = layoutOf(pages, columns)
  const figures = usePageFigures(builder.funnel.id)
  const ways = pages.flatMap((page) => countedWays(page, figures))
  const most = Math.max(0, ...ways.map(({ people }) => people ?? 0))
  const width = EDGE * 2 + Math.max(0, ...placed.map(({ column }) => column)) * STEP.x + CARD.width
  const height = EDGE * 2 + Math.max(0, ...placed.map(({ row }) => row)) * STEP.y + CARD.height
  return (
    <ScrollBox ref={box} label={t.tabs.flow} className="rounded-control bg-sunken">
      <div className="relative" style={{ width, height }}>
        <svg aria-hidden="true" width={width} height={height} className="absolute inset-0">
          {ways.map((way, index) => (
            <Line key={index} way={way} placed={placed} width={lineWidth(way, most)} isChosen={way.from === chosen} />
          ))}
        </svg>
        <Labels ways={ways} placed={placed} />
        <ol>
          {placed.map((one) => (
            <PageCard
              key={one.page.id}
              {...{ builder, onChoose, onOpen }}
              placed={one}
              isChosen={one.page.id === chosen}
            />
          ))}
        </ol>
      </div>
    </ScrollBox>
  )
}

/** Both ends of a line; null for a way that leads to no page. */
function endsOf({ from, to }: Way, placed: readonly PlacedPage[]) {
  const [start, end] = [from, to].map((id) => placed.find(({ page }) => page.id === id))
  if (!start || !end) return null
  const [a, b] = [cornerOf(start), cornerOf(end)]
  return {
    x1: a.x + CARD.width,
    y1: a.y + CARD.height / 2,
    x2: b.x,
    y2: b.y + CARD.height / 2,
  }
}

type Ends = NonNullable<ReturnType<typeof endsOf>>

const GUTTER = (STEP.y - CARD.height) / 2

/** A curve to a page further on; round the cards to an earlier page or to one in another band. */
function pathOf({ x1, y1, x2, y2 }: Ends): string {
  const bend = (x2 - x1) / 2
  if (x2 > x1) return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2 - 6} ${y2}`
  const between = passageOf({ x1, y1, x2, y2 })
  return `M${x1} ${y1}H${x1 + 12}V${between}H${x2 - 12}V${y2}H${x2 - 6}`
}

/** Between which rows such a line goes back. */
const passageOf = ({ y1, y2 }: Ends): number =>
  y2 > y1 ? y2 - CARD.height / 2 - GUTTER : y1 + CARD.height / 2 + GUTTER

/** Where the rule of a line is written. */
const labelAt = (ends: Ends) =>
  ends.x2 > ends.x1
    ? { left: ends.x1 + 2, top: (ends.y1 * 2 + ends.y2) / 3 - 10 }
    : { left: (ends.x1 + ends.x2) / 2 - 38, top: passageOf(ends) - 10 }

interface LineProps {
  way: Way
  placed: readonly PlacedPage[]
  width: number
  isChosen: boolean
}

function Line({ way, placed, width, isChosen }: LineProps) {
  const ends = endsOf(way, placed)
  if (!ends) return null
  const { x2, y2 } = ends
  const path = pathOf(ends)
  const color = isChosen ? 'var(--accent)' : 'var(--field)'
  return (
    <g>
      <path d={path} fill="none" stroke={color} strokeWidth={isChosen ? Math.max(2, width) : width} />
      <path d={`M${x2 - 7} ${y2 - 4}L${x2} ${y2}L${x2 - 7} ${y2 + 4}z`} fill={color} />
    </g>
  )
}

/** Labels the lines from pages with rules: with the rule, or "otherwise", and how many sessions took that way. */
function Labels({ ways, placed }: { ways: readonly CountedWay[]; placed: readonly PlacedPage[] }) {
  const words = useFunnelWords()
  const t = useText('funnels')
  return ways.map((way, index) => {
    const ends = endsOf(way, placed)
    const isBranch = ways.some(({ from, rule }) => from === way.from && rule !== null)
    if (!ends || !isBranch || (way.rule === null && way.people === null)) return null
    const text = way.rule === null ? t.otherwise : conditionsInWords(way.rule.when, words)
    return (
      <span
        key={index}
        title={way.people === null ? text : `${text} · ${t.peopleCount(way.people)}`}
        style={labelAt(ends)}
        className="absolute z-1 flex max-w-19 flex-col rounded-chip bg-surface px-1 text-xs text-ink-2"
      >
        <span className="truncate">{text}</span>
        {way.people !== null && <Count value={way.people} />}
      </span>
    )
  })
}

interface PageCardProps extends Omit<FlowProps, 'chosen'> {
  placed: PlacedPage
  isChosen: boolean
}

function PageCard({ builder, placed, isChosen, onChoose, onOpen }: PageCardProps) {
  const t = useText('funnels')
  const words = useFunnelWords()
  const { page } = placed
  const { x, y } = cornerOf(placed)
  const figures = usePageFigures(builder.funnel.id).get(page.id)
  const isFaulty = builder.problems.faults.some((problem) => problem.page === page.id)
  const isEdited = builder.edit.changes.some(
    ({ key }) => key.startsWith(`page.${page.id}.`) || key.startsWith(`pages.${page.id}.`),
  )
  return (
    <li style={{ left: x, top: y, width: CARD.width, height: CARD.height }} className="absolute">
      <button
        type="button"
        data-page={page.id}
        aria-pressed={isChosen}
        onClick={() => onChoose(page.id)}
        onDoubleClick={() => onOpen(page.id)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return
          event.preventDefault()
          onOpen(page.id)
        }}
        className={cx(
          'grid size-full content-between rounded-card border bg-surface p-2.5 text-left shadow-card hover:bg-hover',
          isChosen ? 'border-accent' : 'border-line-2',
        )}
      >
        <span className="line-clamp-2 text-sm font-medium">{pageName(page, builder.state, words)}</span>
        <span className="flex items-baseline justify-between gap-1 text-xs text-ink-2">
          <span>{words.pageTypes[page.type]}</span>
          {isFaulty ? (
            <span className="text-bad">{t.fault}</span>
          ) : isEdited ? (
            <span className="text-accent">{t.edited}</span>
          ) : (
            figures && (
              <span>
                <Count value={figures.views} /> · <Share value={figures.dropRate} />
              </span>
            )
          )}
        </span>
      </button>
    </li>
  )
}
