interface StripProps {
  /** What the bars show, in words. */
  label: string
  values: readonly number[]
}

/** A row of small bars without axes, such as the half hours of a day. Empty ones keep a low mark. */
export function Strip({ label, values }: StripProps) {
  const most = Math.max(...values, 1)
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${values.length * 4} 20`}
      preserveAspectRatio="none"
      className="h-5 w-full"
    >
      {values.map((value, index) => {
        const height = value === 0 ? 1.5 : 4 + (16 * value) / most
        return (
          <rect
            key={index}
            x={index * 4}
            y={20 - height}
            width={3}
            height={height}
            style={{ fill: value === 0 ? 'var(--line-2)' : 'var(--d2)' }}
          />
        )
      })}
    </svg>
  )
}
