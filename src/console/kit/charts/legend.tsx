import { colorOf, type PlotSeries } from './model'

/** The mark of a series: a square for bars and areas, a stroke for lines. */
export const Swatch = ({ series: { kind, color } }: { series: Pick<PlotSeries, 'kind' | 'color'> }) => (
  <span
    aria-hidden="true"
    className={kind === 'line' ? 'h-0.5 w-2.5 shrink-0 rounded-full' : 'size-2.5 shrink-0 rounded-[3px]'}
    style={{ background: colorOf(color) }}
  />
)

/** The mark of the period before. */
export const DottedSwatch = () => (
  <span aria-hidden="true" className="w-3 shrink-0 border-t-2 border-dotted border-ink-2" />
)
