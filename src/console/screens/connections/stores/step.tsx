import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { Card } from '../../../kit/card'
import { cx } from '../../../lib/class-names'
import { useText } from '../../../text/catalogue'

interface StepProps {
  /** Or a letter, where one of several suffices. */
  number: number | string
  title: string
  isDone: boolean
  aside?: ReactNode
  children: ReactNode
}

/** One step of setting up a store, with a tick when it is done. */
export function Step({ number, title, isDone, aside, children }: StepProps) {
  const t = useText('connections')
  return (
    <Card
      title={
        <span className="inline-flex items-center gap-2.5">
          <span
            aria-hidden
            className={cx(
              'inline-flex size-6 shrink-0 items-center justify-center rounded-full text-xs',
              isDone ? 'bg-good-soft text-good' : 'bg-hover text-ink-2',
            )}
          >
            {isDone ? <Check size={14} /> : number}
          </span>
          <span>{title}</span>
          {isDone && <span className="sr-only">{t.stepDone}</span>}
        </span>
      }
      aside={aside}
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3 text-sm">{children}</div>
    </Card>
  )
}
