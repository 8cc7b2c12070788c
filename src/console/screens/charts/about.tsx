import type { Schemas } from '../../api/schemas'
import { Time } from '../../kit/values'
import { formatDate, formatNumber } from '../../lib/format'
import { useProject, useReading } from '../../lib/session'
import { useText } from '../../text/catalogue'
import type { Asked } from './asked'
import { definitionOf } from './series'

interface AboutProps {
  chart: Schemas['Chart']
  asked: Asked
  figures: Schemas['ChartFigures'] | null
}

/** How a chart is counted, what it leaves out, and the exchange rates of its amounts. */
export function About({ chart, figures }: AboutProps) {
  const t = useText('charts')
  const words = useText('chartDefinitions')
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-x-8 gap-y-4 px-1 text-sm text-ink-2 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
      <section aria-labelledby="how" className="grid content-start gap-1">
        <h2 id="how" className="font-semibold text-ink">
          {t.howCounted}
        </h2>
        <p>{definitionOf(words, chart)}</p>
        <p>
          {t.formula}: <code className="font-mono text-xs">{chart.formula}</code>
        </p>
      </section>
      <LeftOut chart={chart} figures={figures} />
    </div>
  )
}

function LeftOut({ chart, figures }: Omit<AboutProps, 'asked'>) {
  const t = useText('charts')
  const reading = useReading()
  const { environment } = useProject()
  return (
    <div className="grid content-start gap-1">
      {figures && <p>{t.unconverted(formatNumber(reading, figures.unconverted), figures.unconverted)}</p>}
      {chart.filters.includes('environment') && <p>{environment === 'SANDBOX' ? t.onlySandbox : t.sandboxLeftOut}</p>}
      {figures?.rate && (
        <p>{t.convertedWith(figures.rate.currency, figures.rate.usdPerUnit, formatDate(reading, figures.rate.date))}</p>
      )}
      {figures?.computedAt && (
        <p>
          {t.computedAt} <Time at={figures.computedAt} />
        </p>
      )}
    </div>
  )
}
