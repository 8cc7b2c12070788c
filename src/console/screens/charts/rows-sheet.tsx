import { Link } from 'wouter'
import { type Listing, useList } from '../../api/queries'
import type { Schemas } from '../../api/schemas'
import { Facts } from '../../kit/card'
import { cellNames } from '../../kit/charts/cells'
import { formatUnit } from '../../kit/charts/units'
import { Dialog } from '../../kit/dialog'
import { Empty } from '../../kit/empty'
import { Chip } from '../../kit/state'
import { DataTable } from '../../kit/table'
import { Time } from '../../kit/values'
import { formatNumber } from '../../lib/format'
import { useProject, useReading } from '../../lib/session'
import { useParams } from '../../lib/url-state'
import { PersonLink } from '../../parts/person-link'
import { useHref } from '../../parts/use-href'
import { useText } from '../../text/catalogue'
import type { Asked } from './asked'
import { CLOSED, type openRows } from './links'
import { groupName, valueName } from './series'
import { isEnd, isSumOfRows, shapeOf } from './shape'

type Figures = Schemas['ChartFigures']
type ChartRow = Schemas['ChartRow']
type Rows = NonNullable<ReturnType<typeof openRows>>

interface SheetProps {
  asked: Asked
  figures: Figures | null
  rows: Rows
}

/** The rows whose sum is a figure. */
export function RowsSheet({ asked, figures, rows }: SheetProps) {
  const t = useText('charts')
  const { path } = useProject()
  const [, set] = useParams()
  const { from: _from, grain, groupBy, ...query } = asked.query
  const list = useList('/dashboard/projects/{projectId}/charts/{chartId}/rows', {
    params: {
      path: { ...path, chartId: asked.chart.id },
      query: {
        ...query,
        ...{ start: rows.start, value: rows.value, grain: rows.isWhole ? ('total' as const) : grain, limit: 200 },
        ...(rows.group !== undefined && rows.group !== null && { group: rows.group }),
        ...(rows.group !== null && asked.by && { groupBy: asked.by }),
        ...(figures?.rate && { rateDate: figures.rate.date }),
      },
    },
  })
  return (
    <Dialog kind="sheet" isWide title={t.rowsTitle(valueName(t, asked.chart, rows.value))} onClose={() => set(CLOSED)}>
      <Summary asked={asked} figures={figures} rows={rows} list={list} />
      <RowTable label={t.rowsTitle(valueName(t, asked.chart, rows.value))} list={list} />
    </Dialog>
  )
}

function Summary({ asked, figures, rows, list }: SheetProps & { list: Listing<ChartRow> }) {
  const t = useText('charts')
  const reading = useReading()
  const { project } = useProject()
  const figure = figures && figureOf(figures, rows)
  const unit = list.items[0]?.unit ?? figures?.unit ?? asked.chart.unit
  const sum = list.items.reduce((all, { contribution }) => all + contribution, 0)
  const name = rows.isWhole ? t.sum : cellNames([rows.start], asked.grain, reading.locale, project.timezone)[0]?.title
  return (
    <>
      <Facts
        items={[
          [t.period, name],
          ...(rows.group === null ? [] : [[t.group, groupName(t, rows.group || null)] as const]),
          [
            t.rowsOf,
            figure === null || figure === undefined ? null : formatUnit(reading, figures?.unit ?? unit, figure),
          ],
          [
            t.rowsSum,
            isRead(list) && (
              <Sum key="sum" text={formatUnit(reading, unit, sum)} isEqual={!list.hasMore && sum === figure} />
            ),
          ],
        ]}
      />
      <p className="text-xs text-ink-2">
        {noteOf(t, asked, { figure, sum, list, count: formatNumber(reading, list.items.length), value: rows.value })}
      </p>
    </>
  )
}

/** Rows that could not be read are not none. */
const isRead = ({ isLoading, error, items }: Listing<ChartRow>): true | null =>
  isLoading || (error !== null && items.length === 0) ? null : true

function Sum({ text, isEqual }: { text: string; isEqual: boolean }) {
  const t = useText('charts')
  return (
    <span className="inline-flex items-center gap-2">
      {isEqual && <Chip tone="good">{t.rowsEqual}</Chip>}
      {text}
    </span>
  )
}

function figureOf(figures: Figures, { start, value, group, isWhole }: Rows): number | null {
  const part = group === null ? figures : figures.groups?.find(({ key }) => (key ?? '') === group)
  const at = Date.parse(start)
  const values = isWhole ? part?.totals : part?.series.find((one) => Date.parse(one.start) === at)?.values
  return values?.[value] ?? null
}

interface Compared {
  figure: number | null | undefined
  sum: number
  list: Listing<ChartRow>
  count: string
  value: string
}

function noteOf(
  t: ReturnType<typeof useText<'charts'>>,
  { chart }: Asked,
  { figure, sum, list, count, value }: Compared,
): string {
  if (!isRead(list)) return ''
  if (!isSumOfRows(chart)) return t.rowsOfShare
  if (list.hasMore) return t.rowsPart(count)
  if (figure !== null && figure !== undefined && figure !== sum) return t.rowsDiffer
  return shapeOf(chart) === 'area' || isEnd(value) ? t.rowsOfState : ''
}

function RowTable({ label, list }: { label: string; list: Listing<ChartRow> }) {
  const t = useText('charts')
  const common = useText('common')
  const reading = useReading()
  const href = useHref()
  return (
    <div className="-mx-4 border-t border-line">
      <DataTable
        label={label}
        list={list}
        keyOf={(row) =>
          `${row.at} ${row.purchaseId} ${row.transactionId} ${row.subscriberId} ${list.items.indexOf(row)}`
        }
        empty={<Empty title={t.noRows}>{t.noRowsHint}</Empty>}
        columns={[
          {
            title: t.subscriber,
            cell: ({ subscriberId, person }) =>
              subscriberId === null ? '—' : <PersonLink id={subscriberId} person={person} />,
          },
          { title: t.at, cell: ({ at }) => <Time at={at} absolute /> },
          { title: common.product, isExtra: true, cell: ({ productIdentifier }) => productIdentifier ?? '—' },
          {
            title: common.store,
            isExtra: true,
            cell: ({ store }) => (store === null ? '—' : (t.stores[store] ?? store)),
          },
          {
            title: t.purchase,
            isExtra: true,
            cell: ({ purchaseId, subscriberId }) => (
              <IdLink id={purchaseId} href={href(`/subscribers/${subscriberId}`, { purchase: purchaseId ?? '' })} />
            ),
          },
          ...(list.items.some(({ funnelSessionId }) => funnelSessionId !== null)
            ? [{ title: t.funnelSession, cell: ({ funnelSessionId: id }: ChartRow) => <ShortId id={id} /> }]
            : []),
          {
            title: t.contribution,
            isNumber: true,
            cell: ({ contribution, unit }) => formatUnit(reading, unit, contribution),
          },
        ]}
      />
    </div>
  )
}

const IdLink = ({ id, href }: { id: string | null; href: string }) =>
  id === null ? (
    <span>—</span>
  ) : (
    <Link href={href} title={id} className="font-mono text-xs text-accent hover:underline">
      {shortened(id)}
    </Link>
  )

const ShortId = ({ id }: { id: string | null }) => (
  <span className="font-mono text-xs" title={id ?? ''}>
    {id === null ? '—' : shortened(id)}
  </span>
)

const shortened = (id: string): string => `${id.slice(0, 8)}…${id.slice(-4)}`
