import type { Schemas } from '../../../api/schemas'
import { PlainTable } from '../../../kit/table'
import { Count, Money, Share } from '../../../kit/values'
import { useText } from '../../../text/catalogue'

type Result = Schemas['VariantResult']

/** One line for each variant. The intervals have one scale. */
export function ResultRows({ variants }: { variants: readonly Result[] }) {
  const t = useText('growth')
  const most = Math.max(0.0001, ...variants.map(({ interval95 }) => interval95[1] ?? 0)) * 1.08
  return (
    <PlainTable
      keepsColumns
      label={t.results}
      rows={variants}
      keyOf={({ variantId }) => variantId}
      columns={[
        { title: t.variant, cell: ({ name, variantId }) => (variantId === '__holdout__' ? t.holdout : name) },
        { title: t.exposed, isNumber: true, cell: ({ exposures }) => <Count value={exposures} /> },
        { title: t.converted, isNumber: true, cell: ({ conversions }) => <Count value={conversions} /> },
        { title: t.rate, isNumber: true, cell: ({ conversionRate }) => <Share value={conversionRate} /> },
        { title: t.interval, cell: (result) => <Interval result={result} most={most} /> },
        { title: t.bestChance, isNumber: true, cell: ({ probabilityBest }) => <Share value={probabilityBest} /> },
        { title: t.expectedLoss, isNumber: true, cell: ({ expectedLoss }) => <Share value={expectedLoss} /> },
        {
          title: t.pValue,
          isNumber: true,
          cell: ({ pValue }) => (pValue === null ? '—' : <Count value={pValue} digits={3} />),
        },
        {
          title: t.revenue,
          isNumber: true,
          cell: ({ revenue }) => <Money micros={revenue.amountMicros} currency={revenue.currency} />,
        },
      ]}
    />
  )
}

/** Where the rate is with a probability of 95 %. */
function Interval({ result, most }: { result: Result; most: number }) {
  const [from = 0, to = 0] = result.interval95
  const at = (rate: number) => `${(rate / most) * 100}%`
  return (
    <span className="inline-flex w-56 items-center gap-2">
      <span aria-hidden className="relative h-4 w-28 shrink-0 rounded-chip bg-track">
        <span
          className="absolute top-1.5 h-1 rounded-full bg-d2"
          style={{ left: at(from), width: at(Math.max(0, to - from)) }}
        />
        <span className="absolute top-0.5 h-3 w-0.5 bg-ink" style={{ left: at(result.conversionRate) }} />
      </span>
      <span className="text-xs text-ink-2">
        <Share value={from} /> – <Share value={to} />
      </span>
    </span>
  )
}
