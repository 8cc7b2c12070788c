import { Link } from 'wouter'
import { useRead } from '../../../api/queries'
import type { Schemas } from '../../../api/schemas'
import { Button, LinkButton } from '../../../kit/button'
import { Card } from '../../../kit/card'
import { Id } from '../../../kit/copy'
import { Empty, Skeleton } from '../../../kit/empty'
import { Failure } from '../../../kit/failure'
import { Because } from '../../../kit/mark'
import { cx } from '../../../lib/class-names'
import { formatRelative } from '../../../lib/format'
import { useProject } from '../../../lib/session'
import { useParams } from '../../../lib/url-state'
import { useHref } from '../../../parts/use-href'
import { usePerson } from '../../../parts/use-person'
import { useWords } from '../../../parts/words'
import { useText } from '../../../text/catalogue'
import type { AsOf } from './as-of'
import { useReason } from './reason'

type Explanation = Schemas['AccessExplanation']

/** Access identifiers of the project: the one that matters most for the person, those that they have, the others. */
export function useAccessNames(): { names: readonly string[]; isLoading: boolean } {
  const { path } = useProject()
  const { access, leadingAccess } = usePerson()
  const { data, isLoading } = useRead('/dashboard/projects/{projectId}/access', {
    params: { path, query: { limit: 200 } },
  })
  const all = (data?.items ?? []).map(({ identifier }) => identifier)
  const leading = leadingAccess === null ? [] : [leadingAccess]
  return { names: [...new Set([...leading, ...Object.keys(access), ...all])], isLoading }
}

export function useExplanation(access: string | undefined, at: string | undefined) {
  const { path } = useProject()
  const { subscriber } = usePerson()
  return useRead(
    '/dashboard/projects/{projectId}/subscribers/{id}/explain/{access}',
    { params: { path: { ...path, id: subscriber.id, access: access ?? '' }, query: at === undefined ? {} : { at } } },
    { enabled: access !== undefined },
  )
}

/** What the person may use, and why. */
export function AccessCard({
  asOf,
  chosen,
  names,
  isLoading,
}: {
  asOf: AsOf
  chosen: string | undefined
  names: readonly string[]
  isLoading: boolean
}) {
  const { t, time } = useWords()
  const c = useText('common')
  const href = useHref()
  if (!isLoading && chosen === undefined)
    return (
      <Card title={t.accessTitle}>
        <Empty title={t.noAccessDefined} action={<LinkButton href={href('/catalogue/access')}>{c.access}</LinkButton>}>
          {t.noAccessDefinedWhy}
        </Empty>
      </Card>
    )
  return (
    <Card
      title={t.accessTitle}
      aside={
        asOf.at === null ? (
          <span className="text-xs">{t.dragHint}</span>
        ) : (
          <>
            <span>
              {t.asOf} <strong className="font-medium text-accent tabular-nums">{time(asOf.at)}</strong>
            </span>
            <Button variant="quiet" onClick={asOf.toNow}>
              {t.backToNow}
            </Button>
          </>
        )
      }
    >
      <div
        className={cx('grid grid-cols-[minmax(0,1fr)] gap-4', names.length > 1 && 'md:grid-cols-[minmax(0,1fr)_220px]')}
      >
        <Main access={chosen} at={asOf.asked} />
        <Others names={names.filter((one) => one !== chosen)} at={asOf.asked} />
      </div>
    </Card>
  )
}

const BARS = { good: 'border-good', warn: 'border-warn', info: 'border-accent', mute: 'border-line-2' } as const

function barOf({ isActive, decidedBy }: Explanation): keyof typeof BARS {
  if (!isActive) return 'mute'
  if (decidedBy?.rule === 'GRACE_PERIOD_BEFORE_END') return 'warn'
  return decidedBy?.rule === 'TRIAL_BEFORE_END' ? 'info' : 'good'
}

function Main({ access, at }: { access: string | undefined; at: string | undefined }) {
  const { t } = useWords()
  const { data, error, refetch } = useExplanation(access, at)
  const reasonOf = useReason()
  if (error) return <Failure error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton lines={3} />
  return (
    <div className={cx('grid gap-2 border-l-4 pl-4', BARS[barOf(data)])}>
      <p className="text-lg">
        <span className="font-semibold">{data.access}</span> <Answer explanation={data} isNow={at === undefined} />
      </p>
      <Because>{reasonOf(data).sentence}</Because>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 pl-5 text-xs">
        {data.decidedBy && <code className="font-mono text-ink-2">{data.decidedBy.rule}</code>}
        {data.decidedBy && <Id id={data.decidedBy.purchaseId} />}
        {data.chain.length > 0 && <ChainLink access={data.access}>{t.fullChain(data.chain.length)}</ChainLink>}
      </p>
    </div>
  )
}

function Answer({ explanation: { isActive, decidedBy }, isNow }: { explanation: Explanation; isNow: boolean }) {
  const { t, reading, time } = useWords()
  const end = decidedBy?.effectiveEnd ?? null
  // By other rules, such as a refund, the access ended before the purchase did.
  if (!isActive && (end === null || decidedBy?.rule !== 'PAST_END')) return <>{t.notActive}</>
  if (end === null) return <>{t.activeForever}</>
  const near = isNow ? formatRelative(reading, end) : null
  return (
    <>
      {isActive ? t.activeUntil(time(end)) : t.notActiveSince(time(end))}{' '}
      {near && <span className="text-sm whitespace-nowrap text-ink-2">{near}</span>}
    </>
  )
}

function ChainLink({ access, children }: { access: string; children: string }) {
  const [values, set] = useParams()
  const next = new URLSearchParams(values)
  next.set('do', 'chain')
  next.set('access', access)
  return (
    <Link
      href={`?${next.toString()}`}
      onClick={(event) => {
        event.preventDefault()
        set({ do: 'chain', access }, { push: true })
      }}
      className="text-accent hover:underline"
    >
      {children}
    </Link>
  )
}

const SHOWN = 6

function Others({ names, at }: { names: readonly string[]; at: string | undefined }) {
  const t = useText('subscribers')
  if (names.length === 0) return null
  return (
    <div className="md:border-l md:border-line md:pl-4">
      <h3 className="text-xs text-ink-2">{t.otherAccess}</h3>
      <ul className="grid gap-1 pt-1">
        {names.slice(0, SHOWN).map((name) => (
          <Other key={name} access={name} at={at} />
        ))}
      </ul>
      {names.length > SHOWN && <MoreAccess names={names.slice(SHOWN)} />}
    </div>
  )
}

function Other({ access, at }: { access: string; at: string | undefined }) {
  const { data } = useExplanation(access, at)
  const reasonOf = useReason()
  return (
    <li className="flex min-w-0 items-baseline justify-between gap-3">
      <ChainLink access={access}>{access}</ChainLink>
      {data && <Because className="min-w-0 truncate">{reasonOf(data).short}</Because>}
    </li>
  )
}

const MoreAccess = ({ names }: { names: readonly string[] }) => {
  const c = useText('common')
  return (
    <details className="pt-1">
      <summary className="text-xs text-ink-2">
        {c.more} ({names.length})
      </summary>
      <p className="flex flex-wrap gap-x-3 gap-y-1 pt-1">
        {names.map((name) => (
          <ChainLink key={name} access={name}>
            {name}
          </ChainLink>
        ))}
      </p>
    </details>
  )
}
