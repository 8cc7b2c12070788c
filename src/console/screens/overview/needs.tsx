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
import { useText } from '../../text/catalogue'
import { DELIVERIES, deadAsked, inEnvironment, KPIS, trialsAsked } from './asked'

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
        <ul className="divide-y divide-line">
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
      <span className="min-w-7 pt-0.5">{mark}</span>
      <span className="grid min-w-0 flex-1">
        <span className="break-words">{title}</span>
        {hint && <span className="text-xs break-words text-ink-2">{hint}</span>}
      </span>
      {href && <ArrowUpRight aria-hidden size={14} className="mt-1 shrink-0 text-ink-3" />}
    </>
  )
  const look = 'flex items-start gap-2 px-4 py-2.5'
  return (
    <li>
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

const PLACES: readonly (readonly [start: string, path: string])[] = [
  ['WEBHOOK', '/connections/webhooks'],
  ['INTEGRATION', '/connections/integrations'],
  ['STORE', '/connections'],
  ['CREDENTIAL', '/connections'],
  ['IMPORT', '/connections/imports'],
]

function useConcerns(health: readonly Concern[]): Need[] {
  const { base } = useProject()
  return health.map(({ code, kind, message, action }, index) => {
    const place = PLACES.find(([start]) => code.startsWith(start))
    return {
      ...{ key: `${code} ${index}`, title: message, hint: action },
      mark: (
        <span className="inline-flex h-5 items-center">
          <Dot tone={kind === 'FAULT' ? 'bad' : 'warn'} />
          <span className="sr-only">{kind}</span>
        </span>
      ),
      href: place ? `${base}${place[1]}` : null,
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
  const { base, environment } = here
  const kpis = useRead(KPIS, inEnvironment(here), { every: 60_000 })
  const dead = useRead(DELIVERIES, deadAsked(here), { every: 60_000 })
  const { ending, isCut } = useEndingTrials()
  const env = environment === 'SANDBOX' ? '&env=sandbox' : ''
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
      href: `${base}/revenue/billing-issues?${env}`,
    },
    {
      key: 'grace',
      value: kpis.data?.grace ?? 0,
      tone: 'warn',
      title: t.inGrace(kpis.data?.grace ?? 0),
      hint: t.inGraceHint,
      href: `${base}/revenue/billing-issues?${env}`,
    },
    {
      ...{ key: 'dead', value: dead.data?.items.length ?? 0, isMore: dead.data?.nextCursor != null, tone: 'bad' },
      ...{
        title: t.dead(dead.data?.items.length ?? 0),
        hint: t.deadHint,
        href: `${base}/connections/deliveries?status=DEAD${env}`,
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
      ...{ hint: t.trialsEndHint(count(renewing, isCut)), href: `${base}/revenue?status=TRIAL${env}` },
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
