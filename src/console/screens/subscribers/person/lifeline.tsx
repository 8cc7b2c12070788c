import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Card } from '../../../kit/card'
import { Empty } from '../../../kit/empty'
import { Chip } from '../../../kit/state'
import { cx } from '../../../lib/class-names'
import { now } from '../../../lib/clock'
import { useParam } from '../../../lib/url-state'
import { StoreName } from '../../../parts/store'
import { productName, useLines, usePerson, useProducts } from '../../../parts/use-person'
import { useWords } from '../../../parts/words'
import { useText } from '../../../text/catalogue'
import { useExplanation } from './access'
import type { AsOf } from './as-of'
import { AsOfLine } from './as-of-line'
import { Drawing, ROW, TOP } from './lifeline-drawing'
import { domainOf, type LifeRow, lifeRows, spansOn } from './lifeline-model'
import { PurchaseTable } from './purchase-table'

/** More lines than fit on a screen say nothing at a glance; the table has every purchase. */
const MOST_ROWS = 30

/** Every purchase over time, and the line by which any moment can be asked about. */
export function Lifeline({ asOf, access }: { asOf: AsOf; access: string | undefined }) {
  const { t } = useWords()
  const { purchases, subscriber } = usePerson()
  const { lines, isCut } = useLines()
  const products = useProducts()
  const { data: explanation } = useExplanation(access, undefined)
  const [at] = useState(now)
  if (purchases.length === 0)
    return (
      <Card title={t.purchases}>
        <Empty title={t.noPurchases}>{t.noPurchasesWhy}</Empty>
      </Card>
    )
  const all = lifeRows(purchases, lines, products)
  const rows = all.slice(0, MOST_ROWS)
  const domain = domainOf(rows, new Date(subscriber.firstSeenAt).getTime(), at)
  const first = Math.min(...rows.flatMap(({ segments }) => segments.map(({ from }) => from)))
  const spans = explanation
    ? spansOn(
        explanation.chain,
        {
          isActive: explanation.isActive,
          until: explanation.decidedBy?.effectiveEnd ?? null,
          from: Number.isFinite(first) ? first : at,
        },
        at,
      )
    : []
  return (
    <Card
      title={t.purchases}
      aside={<Legend />}
      footer={isCut || all.length > MOST_ROWS ? t.newestOnly(rows.length) : undefined}
    >
      <div className="grid grid-cols-[minmax(0,112px)_minmax(0,1fr)] md:grid-cols-[minmax(0,220px)_minmax(0,1fr)]">
        <Labels rows={rows} access={access} nameOf={(row) => productName(products, row.purchase)} />
        <Measured>
          {(width) => (
            <>
              <Drawing rows={rows} spans={spans} domain={domain} width={width} at={at} />
              <AsOfLine asOf={asOf} domain={domain} width={width} present={at} />
            </>
          )}
        </Measured>
      </div>
      <PurchaseTable />
    </Card>
  )
}

function Labels({
  rows,
  access,
  nameOf,
}: {
  rows: readonly LifeRow[]
  access: string | undefined
  nameOf: (row: LifeRow) => string
}) {
  const { t, status, store } = useWords()
  const [chosen] = useParam('purchase')
  return (
    <ul style={{ paddingTop: TOP }}>
      {access !== undefined && (
        <Label name={<strong className="font-medium">{access}</strong>} aside={t.whatCounts} isTinted />
      )}
      {rows.map((row) => (
        <Label
          key={row.key}
          isChosen={row.purchase.id === chosen}
          name={
            <span className="flex min-w-0 items-center gap-1.5">
              <StoreName store={row.purchase.store} isShort />
              <span className="truncate">{row.purchase.store === 'MANUAL' ? store('MANUAL') : nameOf(row)}</span>
              {row.purchase.environment === 'SANDBOX' && <SandboxMark />}
              {row.count > 1 && <span className="shrink-0 text-ink-2">× {row.count}</span>}
            </span>
          }
          aside={status(row.purchase.status)}
        />
      ))}
    </ul>
  )
}

/** Its name, and on phones a point, because the name of the product needs the place. */
function SandboxMark() {
  const c = useText('common')
  return (
    <span className="shrink-0" title={c.sandbox}>
      <span className="max-md:sr-only">
        <Chip tone="warn">{c.sandbox}</Chip>
      </span>
      <span aria-hidden className="block size-2 rounded-full bg-warn md:hidden" />
    </span>
  )
}

const Label = ({
  name,
  aside,
  isTinted,
  isChosen,
}: {
  name: ReactNode
  aside: string
  isTinted?: boolean
  isChosen?: boolean
}) => (
  <li
    style={{ height: ROW }}
    className={cx(
      'flex min-w-0 items-center justify-between gap-2 rounded-l-inner pr-2 text-sm',
      isTinted && 'bg-track pl-2',
      isChosen && 'bg-accent-soft pl-2',
    )}
  >
    <span className="min-w-0 truncate">{name}</span>
    <span className="shrink-0 text-ink-2 max-md:hidden">{aside}</span>
  </li>
)

/** Draws its content again when its width changes. */
function Measured({ children }: { children: (width: number) => ReactNode }) {
  const place = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useEffect(() => {
    const element = place.current
    if (!element) return
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return (
    <div ref={place} className="relative min-w-0 overflow-visible">
      {width > 0 && children(width)}
    </div>
  )
}

const COLOURS = [
  ['trial', 'bg-d3'],
  ['paid', 'bg-d1'],
  ['grace', 'bg-warn'],
  ['refunded', 'bg-n1'],
  ['granted', 'bg-d2'],
  ['once', 'bg-d5'],
] as const

function Legend() {
  const { t } = useWords()
  return (
    <ul className="flex flex-wrap gap-x-3 gap-y-1 text-xs">
      {COLOURS.map(([part, colour]) => (
        <li key={part} className="inline-flex items-center gap-1.5">
          <span aria-hidden className={cx('size-2 rounded-chip', colour)} />
          {t.legend[part]}
        </li>
      ))}
    </ul>
  )
}
