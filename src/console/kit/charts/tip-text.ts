import type { PlotNote, PlotProps } from './model'

/** What one cell shows. */
export interface TipProps extends Omit<PlotProps, 'before' | 'notes' | 'running'> {
  before: PlotProps['before'] | null
  notes: readonly PlotNote[]
  running: number | null
  cell: number
}

export const valueText = (value: number | null | undefined, format: (value: number) => string): string =>
  value === null || value === undefined ? '—' : format(value)

/** The same in words, for readers of the screen. */
export function tipText({ cells, series, cell, before, notes, running, runningText, format }: TipProps): string {
  const earlier = before?.values[cell] ?? null
  return [
    `${cells[cell]?.title ?? ''}${cell === running && runningText ? ` ${runningText}` : ''}`,
    ...series.map(({ name, values }) => `${name} ${valueText(values[cell], format)}`),
    ...(before && earlier !== null ? [`${before.name} ${format(earlier)}`] : []),
    ...notes.filter((note) => note.cell === cell).map(({ text }) => text),
  ].join(', ')
}
