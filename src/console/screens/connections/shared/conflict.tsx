import { isConflict } from '../../../api/failure'
import { newerRevision } from '../../../api/revision'
import { Button } from '../../../kit/button'
import { Time } from '../../../kit/values'
import { useText } from '../../../text/catalogue'

interface ConflictProps {
  error: Error | null
  /** The version at the start of the form, and the saved one. */
  before: Record<string, unknown>
  now: Record<string, unknown> | null
  onLoad: () => void
  onOverwrite: (revision: number) => void
}

/** Says who changed the object meanwhile and what, with the choice between the two. */
export function Conflict({ error, before, now, onLoad, onOverwrite }: ConflictProps) {
  const t = useText('common')
  const revision = newerRevision(error)
  if (revision === null || !isConflict(error)) return null
  const { updatedBy, updatedAt } = error.details
  const changed = Object.keys(before).filter((name) => now && textOf(before[name]) !== textOf(now[name]))
  return (
    <div role="alert" className="grid gap-2 rounded-control bg-warn-soft px-3 py-2 text-sm">
      <p className="font-medium text-warn">{t.changedMeanwhile}</p>
      <p className="text-ink-2">
        {typeof updatedBy === 'string' && `${updatedBy} `}
        {typeof updatedAt === 'string' && <Time at={updatedAt} />}
      </p>
      <p className="text-ink-2">{t.changedMeanwhileHint}</p>
      {changed.length > 0 && (
        <dl className="grid gap-1 font-mono text-xs">
          {changed.map((name) => (
            <div key={name} className="flex flex-wrap gap-x-2">
              <dt>{name}</dt>
              <dd className="min-w-0 break-words">
                {textOf(before[name])} → {textOf(now?.[name])}
              </dd>
            </div>
          ))}
        </dl>
      )}
      <div className="flex gap-2">
        <Button onClick={onLoad}>{t.loadTheirs}</Button>
        <Button variant="danger" onClick={() => onOverwrite(revision)}>
          {t.overwrite}
        </Button>
      </div>
    </div>
  )
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? null))
