import { type ReactNode, useEffect, useState } from 'react'
import { useText } from '../../text/catalogue'

const DELAY_MS = 300

/** The chart before another choice, until its answer comes; a slow answer has a message. */
export function OfBefore({ isOld, children }: { isOld: boolean; children: ReactNode }) {
  return (
    <div aria-busy={isOld} className="relative grid grid-cols-[minmax(0,1fr)] gap-4">
      {isOld && <Notice />}
      {children}
    </div>
  )
}

function Notice() {
  const t = useText('charts')
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), DELAY_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <p role="status" className="pointer-events-none absolute inset-x-0 top-3 z-10 text-center text-xs text-ink-2">
      {isSlow && (
        <span className="rounded-control border border-line bg-raised px-3 py-1.5 shadow-float">
          {t.figuresOfBefore}
        </span>
      )}
    </p>
  )
}
