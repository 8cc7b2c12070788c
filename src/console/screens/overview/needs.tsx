import { useQuery } from '@tanstack/react-query'
import { ArrowUpRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useRead } from '../../api/queries'
import type { Schemas } from '../../api/schemas'
import { Card } from '../../kit/card'
import { Empty } from '../../kit/empty'
import { Dot, type Tone } from '../../kit/state'
import { cx } from '../../lib/class-names'
import { now } from '../../lib/clock'
import { formatNumber } from '../../lib/format'
import { useProject, useReading } from '../../lib/session'
import { useHref } from '../../parts/use-href'
import { useText } from '../../text/catalogue'
import { DELIVERIES, deadAsked, inEnvironment, KPIS, trialsAsked } from './asked'
import { hasReason, placeOf, wordsOf } from './concerns'
import { useLateReason } from './late-reasons'

type Concern = Schemas['OverviewConcern']

interface Need {
  key: string
  /** How many, or a dot. */
  mark: ReactNode
  title: string
  hint: string | null
  href: string | null
}

/** What a person should look at: health, billing, dead deliveries, trials that end. */
export function NeedsALook({ health }: { health: readonly Concern[] }) {
  const t = useText('overview')
  const needs = [...useConcerns(health), ...useCounts()]
  return (
    <Card flush title={t.needsALook}>
      {needs.length === 0 ? (
        <Empty title={t.nothingNeeds}>{t.nothingNeedsHint}</Empty>
      ) : (
        <ul className="grid grid-cols-[auto_minmax(0,1fr)_auto] divide-y divide-line">
          {needs.map((need) => (
            <Line key={need.key} need={need} />
          ))}
        </ul>
      )}
    </Card>
  )
}

function Line({ need: { mark, title, hint, href } }: { need: Need }) {
  const inner = (
    <>
      <span className="pt-0.5">{mark}</span>
      <span className="grid min-w-0">
        <span className="break-words">{title}</span>
        {hint && <span className="text-xs break-words text-ink-2">{hint}</span>}
      </span>
      {href ? <ArrowUpRight aria-hidden size={14} className="mt-1 shrink-0 text-ink-3" /> : <span />}
    </>
  )
  const look = 'col-span-full grid grid-cols-subgrid items-start gap-3 px-4 py-2.5'
  return (
    <li className="col-span-full grid grid-cols-subgrid">
      {href ? (
        <Link href={href} className={cx(look, '-outline-offset-2 hover:bg-hover')}>
          {inner}
        </Link>
      ) : (
        <div className={look}>{inner}</div>
      )}
    </li>
  )
}

function useConcerns(health: readonly Concern[]): Need[] {
  const t = useText('overview')
  const findings = useText('findings')
  const { storeNames } = useText('common')
  const reasonOf = useLateReason(health.some(hasReason))
  const href = useHref()
  return health.map((concern, index) => {
    const { code, kind } = concern
    const [title, hint] = wordsOf(concern, { ...findings, storeNames, reasonOf })
    const place = placeOf(concern)
    return {
      ...{ key: `${code} ${index}`, title, hint },
      mark: (
        <span className="inline-flex h-5 items-center">
          <Dot tone={kind === 'FAULT' ? 'bad' : 'warn'} />
          <span className="sr-only">{t.concernKinds[kind]}</span>
        </span>
      ),
      href: place === null ? null : href(place),
    }
  })
}

const WEEK_MS = 7 * 86_400_000

/** The trials that end within a week, among as many as are read; cut when there may be others. */
function useEndingTrials() {
  const { data } = useQuery(trialsAsked(useProject()))
  const endsSoon = (expiresAt: string | null) => expiresAt !== null && Date.parse(expiresAt) - now() < WEEK_MS
  const ending = (data?.items ?? []).filter(({ expiresAt }) => endsSoon(expiresAt))
  return { ending, isCut: data?.isCut ?? false }
}

function useCounts(): Need[] {
  const t = useText('overview')
  const reading = useReading()
  const here = useProject()
  const href = useHref()
  const kpis = useRead(KPIS, inEnvironment(here), { every: 60_000 })
  const dead = useRead(DELIVERIES, deadAsked(here), { every: 60_000 })
  // A test that failed was seen by who made it.
  const lost = (dead.data?.items ?? []).filter(({ isTest }) => !isTest).length
  const { ending, isCut } = useEndingTrials()
  const count = (value: number, isMore = false) => {
    const text = formatNumber(reading, value)
    return isMore ? t.atLeast(text) : text
  }
  const renewing = ending.filter(({ autoRenews }) => autoRenews).length
  const rows: (Omit<Need, 'mark' | 'key'> & { key: string; value: number; isMore?: boolean; tone: Tone })[] = [
    {
      key: 'retry',
      value: kpis.data?.retry ?? 0,
      tone: 'warn',
      title: t.inRetry(kpis.data?.retry ?? 0),
      hint: t.inRetryHint,
      href: href('/revenue', { status: 'BILLING_RETRY' }),
    },
    {
      key: 'grace',
      value: kpis.data?.grace ?? 0,
      tone: 'warn',
      title: t.inGrace(kpis.data?.grace ?? 0),
      hint: t.inGraceHint,
      href: href('/revenue', { status: 'GRACE_PERIOD' }),
    },
    {
      ...{ key: 'dead', value: lost, isMore: dead.data?.nextCursor != null, tone: 'bad' },
      ...{
        title: t.dead(lost),
        hint: t.deadHint,
        href: href('/connections/deliveries', { status: 'DEAD' }),
      },
    },
    {
      ...{
        key: 'trials',
        value: ending.length,
        isMore: isCut && (kpis.data?.trials ?? 0) > 0,
        tone: 'mute',
        title: t.trialsEnd(ending.length),
      },
      ...{ hint: t.trialsEndHint(count(renewing, isCut)), href: href('/revenue', { status: 'TRIAL' }) },
    },
  ]
  return rows
    .filter(({ value, isMore = false }) => value > 0 || isMore)
    .map(({ value, isMore = false, tone, ...need }) => ({
      ...need,
      mark: <span className={cx('text-lg font-medium tabular-nums', LOOKS[tone])}>{count(value, isMore)}</span>,
    }))
}

const LOOKS: Record<string, string> = { warn: 'text-warn', bad: 'text-bad' }
