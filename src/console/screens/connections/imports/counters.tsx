import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Card } from '../../../kit/card'
import { Count } from '../../../kit/values'
import { cx } from '../../../lib/class-names'
import { useProject } from '../../../lib/session'
import { useText } from '../../../text/catalogue'
import type { Job } from './model'

/** The counts of rows that were read, written, and checked by the stores. */
export function Counters({ job: { counters, undone, status } }: { job: Job }) {
  const t = useText('moving')
  const { base } = useProject()
  const isTried = status === 'DRY_RUN_RUNNING' || status === 'DRY_RUN_COMPLETE'
  const { rows, valid, invalid, skipped, subscribersNew, purchasesNew, purchasesUpdated } = counters
  const { verified, unverifiable, remaining } = counters
  return (
    <Card title={isTried ? t.dryRun : t.result} flush>
      <dl aria-live="polite" className="grid grid-cols-2 overflow-hidden sm:grid-cols-4">
        <Figure name={t.rows} value={rows} />
        <Figure name={t.rowsGood} value={valid} />
        <Figure name={t.rowsWrong} value={invalid} isBad={invalid > 0} />
        <Figure name={t.rowsSkipped} value={skipped} />
        {!isTried && (
          <>
            <Figure
              name={t.peopleNew}
              value={subscribersNew}
              beside={
                <Link href={`${base}/subscribers`} className="text-xs text-accent hover:underline">
                  {t.see}
                </Link>
              }
            />
            <Figure name={t.purchasesNew} value={purchasesNew} />
            <Figure name={t.purchasesUpdated} value={purchasesUpdated} />
            <Figure name={t.verified} value={verified} />
            <Figure name={t.unverifiable} value={unverifiable} />
            <Figure
              name={t.remaining}
              value={remaining}
              isBad={remaining > 0 && status === 'VERIFICATION_INCOMPLETE'}
            />
          </>
        )}
        {undone && (
          <>
            <Figure name={t.purchasesRemoved} value={undone.purchasesRemoved} />
            <Figure name={t.purchasesChanged} value={undone.purchasesChanged} />
            <Figure name={t.peopleRemoved} value={undone.subscribersRemoved} />
          </>
        )}
      </dl>
    </Card>
  )
}

interface FigureProps {
  name: string
  value: number
  isBad?: boolean
  beside?: ReactNode
}

export const Figure = ({ name, value, isBad = false, beside }: FigureProps) => (
  <div className="-mr-px -mb-px grid content-start gap-0.5 border-r border-b border-line px-4 py-3">
    <dt className="text-xs text-ink-2">{name}</dt>
    <dd className="flex items-baseline gap-2">
      <span className={cx('text-xl font-medium', isBad && 'text-bad')}>
        <Count value={value} />
      </span>
      {beside}
    </dd>
  </div>
)
