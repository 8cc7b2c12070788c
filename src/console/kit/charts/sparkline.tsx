interface SparklineProps {
  values: readonly number[]
  width?: number
  height?: number
}

/** The run of a figure without axes. The period that is not over belongs not into it. */
export function Sparkline({ values, width = 92, height = 28 }: SparklineProps) {
  if (values.length < 2) return <svg width={width} height={height} aria-hidden="true" />
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const x = (index: number) => 2 + ((width - 6) * index) / (values.length - 1)
  const y = (value: number) => (high === low ? height - 4 : 4 + (height - 8) * (1 - (value - low) / (high - low)))
  const line = values
    .map((value, index) => `${index === 0 ? 'M' : 'L'}${x(index).toFixed(1)} ${y(value).toFixed(1)}`)
    .join('')
  return (
    <svg width={width} height={height} aria-hidden="true" className="shrink-0">
      <path d={`${line}L${x(values.length - 1)} ${height}L2 ${height}Z`} style={{ fill: 'var(--d1)', opacity: 0.12 }} />
      <path d={line} fill="none" strokeWidth="1.4" strokeLinejoin="round" style={{ stroke: 'var(--accent)' }} />
      <circle cx={x(values.length - 1)} cy={y(values.at(-1) ?? 0)} r="2.2" style={{ fill: 'var(--accent)' }} />
    </svg>
  )
}
