import type { ReactNode } from 'react'
import type { Schemas } from '../../api/schemas'
import { Card } from '../../kit/card'
import { Empty } from '../../kit/empty'
import { Chip, type Tone } from '../../kit/state'
import { PlainTable } from '../../kit/table'
import { useText } from '../../text/catalogue'

type Plan = Schemas['ProjectFilePlan']
type Change = Schemas['ProjectFileChange']

const TONES: Record<string, Tone> = { create: 'good', update: 'info', delete: 'bad', 'keep-secret': 'warn' }

/** What applying a file would change, or why it cannot be applied. */
export function PlanView({ plan, action }: { plan: Plan; action?: ReactNode }) {
  const t = useText('settings')
  const { changes, problems, problemCount, counts } = plan
  if (problems.length > 0)
    return (
      <Card flush title={t.problems(problemCount)} aside={action}>
        <Problems problems={problems} />
      </Card>
    )
  return (
    <Card
      flush
      title={t.differences}
      aside={
        <>
          <span>{t.planCounts(counts.create, counts.update, counts.delete)}</span>
          {action}
        </>
      }
    >
      {changes.length === 0 ? <Empty title={t.noChanges}>{t.noChangesHint}</Empty> : <Changes changes={changes} />}
    </Card>
  )
}

function Changes({ changes }: { changes: readonly Change[] }) {
  const t = useText('settings')
  return (
    <ol className="divide-y divide-line">
      {changes.map((change, index) => (
        <li key={index} className="grid grid-cols-[minmax(0,1fr)] gap-1 px-4 py-2 text-sm">
          <p className="flex min-w-0 flex-wrap items-center gap-2">
            <Chip tone={TONES[change.op] ?? 'mute'}>{t.op[change.op as keyof typeof t.op] ?? change.op}</Chip>
            <span className="text-ink-2">{change.kind}</span>
            <span className="min-w-0 font-mono text-xs font-medium break-all">{change.ref}</span>
            {change.path !== null && <span className="font-mono text-xs break-all text-ink-2">{change.path}</span>}
          </p>
          {change.op === 'update' && (
            <p className="font-mono text-xs break-words">
              <s className="text-bad">{shown(change.before)}</s> <span aria-hidden>→</span>{' '}
              <span className="text-accent">{shown(change.after)}</span>
            </p>
          )}
        </li>
      ))}
    </ol>
  )
}

const shown = (value: unknown): string => (value === undefined ? '—' : JSON.stringify(value))

function Problems({ problems }: { problems: Plan['problems'] }) {
  const t = useText('settings')
  return (
    <PlainTable
      keepsColumns
      label={t.problems(problems.length)}
      rows={problems}
      keyOf={({ line, column, path, message }) => `${line} ${column} ${path} ${message}`}
      columns={[
        { title: t.line, cell: ({ line, column }) => `${line}:${column}` },
        {
          title: t.what,
          whole: ({ message }) => message,
          cell: ({ message }) => <span className="whitespace-normal">{message}</span>,
        },
        { title: t.member, isExtra: true, cell: ({ path }) => <span className="font-mono text-xs">{path}</span> },
        { title: t.code, isExtra: true, cell: ({ code }) => <span className="font-mono text-xs">{code}</span> },
      ]}
    />
  )
}
