import { Link } from 'wouter'
import { useList } from '../../../api/queries'
import type { Schemas } from '../../../api/schemas'
import { Card } from '../../../kit/card'
import { Empty, Skeleton } from '../../../kit/empty'
import { Failure } from '../../../kit/failure'
import { FilterSelect } from '../../../kit/filter-select'
import { Because } from '../../../kit/mark'
import { Chip } from '../../../kit/state'
import { More } from '../../../kit/table'
import { useProject } from '../../../lib/session'
import { useParam } from '../../../lib/url-state'
import { useText } from '../../../text/catalogue'
import { KINDS, kindOf, PATH, type Run } from './model'

/** The differences, with the reason of our side. */
export function Findings({ run }: { run: Run }) {
  const t = useText('moving')
  const common = useText('common')
  const { path } = useProject()
  const [given, setKind] = useParam('kind')
  const kind = kindOf(given)
  const list = useList(`${PATH}/runs/{id}/findings`, {
    params: { path: { ...path, id: run.id }, query: { ...(kind && { kind }) } },
  })
  const found = KINDS.filter((one) => (run.kinds[one] ?? 0) > 0)
  return (
    <Card
      title={t.differences}
      flush
      aside={
        <FilterSelect
          label={common.type}
          value={kind ?? ''}
          onChange={({ target }) => setKind(target.value)}
          options={[
            ['', `${common.all} (${run.differences})`],
            ...found.map((one) => [one, `${t.findingKinds[one]} (${run.kinds[one] ?? 0})`] as const),
          ]}
        />
      }
    >
      {list.error && list.items.length === 0 ? (
        <div className="px-4">
          <Failure error={list.error} onRetry={list.retry} />
        </div>
      ) : list.isLoading ? (
        <Skeleton lines={6} className="px-4" />
      ) : list.items.length === 0 ? (
        <Empty title={t.noDifferences}>{run.status === 'RUNNING' ? t.noDifferencesYet : t.noDifferencesWhy}</Empty>
      ) : (
        <ol className="divide-y divide-line">
          {list.items.map((one, index) => (
            <Finding key={`${one.subscriberId} ${one.kind} ${one.identifier} ${index}`} finding={one} />
          ))}
        </ol>
      )}
      <More list={list} />
    </Card>
  )
}

function Finding({ finding }: { finding: Schemas['ComparisonFinding'] }) {
  const t = useText('moving')
  const { base } = useProject()
  const { kind, person, subscriberId, identifier, ours, theirs, reason, rule } = finding
  return (
    <li data-row className="grid grid-cols-[minmax(0,1fr)] gap-1.5 px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Chip tone={kind === 'FAULT' ? 'bad' : 'warn'}>{t.findingKinds[kind]}</Chip>
        <Link
          href={`${base}/subscribers/${subscriberId}`}
          title={person}
          className="inline-flex min-h-6 max-w-full min-w-0 items-center font-medium text-accent hover:underline"
        >
          <bdi className="truncate">{person}</bdi>
        </Link>
        <span className="font-mono text-xs text-ink-2">{identifier}</span>
      </div>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-0.5 text-sm">
        <dt className="text-ink-2">{t.here}</dt>
        <dd className="break-words">{ours || '—'}</dd>
        <dt className="text-ink-2">{t.there}</dt>
        <dd className="break-words">{theirs || '—'}</dd>
      </dl>
      <Because>
        {reason} {rule !== null && <span className="font-mono text-xs">{rule}</span>}
      </Because>
    </li>
  )
}
