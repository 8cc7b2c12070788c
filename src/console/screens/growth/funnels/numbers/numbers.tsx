import { useRead } from '../../../../api/queries'
import type { Schemas } from '../../../../api/schemas'
import { Card, Columns, Stack } from '../../../../kit/card'
import { Empty, Skeleton } from '../../../../kit/empty'
import { Failure } from '../../../../kit/failure'
import { FilterSelect } from '../../../../kit/filter-select'
import { PlainTable } from '../../../../kit/table'
import { Count, Money, Share } from '../../../../kit/values'
import { useProject } from '../../../../lib/session'
import { useParam } from '../../../../lib/url-state'
import { useText } from '../../../../text/catalogue'
import { sinceDays } from '../flow/use-page-figures'
import { pageName } from '../lines'
import { pageIn } from '../pages'
import type { Builder } from '../use-funnel-edit'
import { useFunnelWords } from '../use-words'

type Stats = Schemas['FunnelStats']
type Group = Stats['groups'][number]

const RANGES = ['7', '30', '90'] as const
const GROUPS = ['version', 'variant', 'utm_source', 'utm_campaign', 'country', 'device', 'locale'] as const

/** A share of fewer sessions is not reliable. */
const FEWEST = 10

/** What came of the funnel: sessions, money, page by page, answers and groups. */
export function Numbers({ builder }: { builder: Builder }) {
  const t = useText('funnels')
  const { path } = useProject()
  const [days, setDays] = useParam('days', '30')
  const [by, setBy] = useParam('by', 'version')
  const groupBy = GROUPS.find((one) => one === by) ?? 'version'
  const count = RANGES.find((one) => one === days) ?? '30'
  const stats = useRead('/dashboard/projects/{projectId}/funnels/{id}/stats', {
    params: { path: { ...path, id: builder.funnel.id }, query: { from: sinceDays(Number(count)), groupBy } },
  })
  return (
    <Stack>
      <div className="flex flex-wrap items-center gap-2">
        <FilterSelect
          label={t.range}
          value={count}
          onChange={({ target }) => setDays(target.value === '30' ? null : target.value)}
          options={RANGES.map((one) => [one, t.lastDays(Number(one))] as const)}
        />
        <FilterSelect
          label={t.groupBy}
          value={groupBy}
          onChange={({ target }) => setBy(target.value === 'version' ? null : target.value)}
          options={GROUPS.map((one) => [one, t.groups[one]] as const)}
        />
        <span className="text-sm text-ink-2">{t.testLeftOut}</span>
      </div>
      {stats.data ? (
        <Results builder={builder} stats={stats.data} groupTitle={t.groups[groupBy]} />
      ) : stats.error ? (
        <Failure error={stats.error} onRetry={() => void stats.refetch()} />
      ) : (
        <Skeleton lines={8} />
      )}
    </Stack>
  )
}

function Results({ builder, stats, groupTitle }: { builder: Builder; stats: Stats; groupTitle: string }) {
  const t = useText('funnels')
  if (stats.sessions === 0)
    return (
      <Card>
        <Empty title={t.noSessions}>{t.noSessionsHint}</Empty>
      </Card>
    )
  return (
    <>
      <Figures stats={stats} />
      <Columns
        main={<PageByPage builder={builder} stats={stats} />}
        side={<Answers builder={builder} stats={stats} />}
      />
      <Groups groups={stats.groups} title={groupTitle} />
    </>
  )
}

/** The share of those who paid; null where it is not reliable. */
const shareOf = ({ sessions, paid }: Pick<Stats, 'sessions' | 'paid'>): number | null =>
  sessions < FEWEST ? null : paid / sessions

function Figures({ stats }: { stats: Stats }) {
  const t = useText('funnels')
  const { sessions, paid, completed, revenue, sandboxRevenue } = stats
  const perSession = sessions === 0 ? null : Math.round(revenue.amountMicros / sessions)
  const figures = [
    [t.sessions, <Count key="s" value={sessions} />],
    [t.paid, <Count key="p" value={paid} />],
    [t.shareOfSessions, <Share key="h" value={shareOf(stats)} />],
    [t.net, <Money key="n" micros={revenue.amountMicros} currency={revenue.currency} />],
    [t.perSession, <Money key="e" micros={perSession} currency={revenue.currency} />],
    [t.completed, <Count key="c" value={completed} />],
  ] as const
  return (
    <Card footer={sandboxRevenue.amountMicros > 0 ? <SandboxRevenue sum={sandboxRevenue} /> : undefined}>
      <dl className="grid grid-cols-2 gap-4 md:grid-cols-3 xl:grid-cols-6">
        {figures.map(([name, value]) => (
          <div key={name}>
            <dt className="text-sm text-ink-2">{name}</dt>
            <dd className="text-2xl font-medium">{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}

function SandboxRevenue({ sum }: { sum: Stats['sandboxRevenue'] }) {
  const t = useText('funnels')
  return (
    <>
      {t.ofTestStores} <Money micros={sum.amountMicros} currency={sum.currency} />
    </>
  )
}

const WARNED = 0.2

function PageByPage({ builder, stats }: { builder: Builder; stats: Stats }) {
  const t = useText('funnels')
  const words = useFunnelWords()
  const { state } = builder
  const nameOf = (id: string) => {
    const page = pageIn(state, id)
    return page ? pageName(page, state, words) : id
  }
  const most = Math.max(1, ...stats.pages.map(({ views }) => views))
  return (
    <Card flush title={t.pageByPage} aside={t.oneScale}>
      <PlainTable
        label={t.pageByPage}
        rows={stats.pages}
        keyOf={({ id }) => id}
        phone={{
          lines: ({ id, views, dropRate }) => ({
            title: nameOf(id),
            amount: <Count value={views} />,
            detail: <Share value={views < FEWEST ? null : dropRate} />,
          }),
        }}
        columns={[
          { title: t.page, cell: ({ id }) => nameOf(id), whole: ({ id }) => nameOf(id) },
          { title: t.goOnOrLeave, isExtra: true, cell: (page) => <Bar page={page} most={most} /> },
          { title: t.arrive, isNumber: true, cell: ({ views }) => <Count value={views} /> },
          { title: t.goOn, isNumber: true, isExtra: true, cell: ({ advances }) => <Count value={advances} /> },
          {
            title: t.leaveHere,
            isNumber: true,
            cell: ({ dropRate, views }) => (
              <span className={(dropRate ?? 0) > WARNED && views >= FEWEST ? 'text-warn' : undefined}>
                <Share value={views < FEWEST ? null : dropRate} />
              </span>
            ),
          },
          {
            title: t.medianTime,
            isNumber: true,
            isExtra: true,
            cell: ({ medianSeconds }) => (medianSeconds === null ? '—' : t.secondsOf(Math.round(medianSeconds))),
          },
        ]}
      />
    </Card>
  )
}

/** Visitors who continued and who did not; the numbers next to it have the meaning. */
function Bar({ page, most }: { page: Schemas['FunnelPageStats']; most: number }) {
  const on = (page.advances / most) * 100
  const off = ((page.views - page.advances) / most) * 100
  return (
    <svg aria-hidden="true" viewBox="0 0 100 8" preserveAspectRatio="none" className="h-2 w-40">
      <rect width={on} height="8" fill="var(--d1)" />
      <rect x={on} width={Math.max(0, off - 0.5)} height="8" fill="var(--n2)" />
    </svg>
  )
}

function Answers({ builder, stats }: { builder: Builder; stats: Stats }) {
  const t = useText('funnels')
  const [chosen, setChosen] = useParam('field')
  const fields = stats.pages.flatMap((page) => page.fields).filter(({ answers }) => answers.length > 0)
  const field = fields.find(({ id }) => id === chosen) ?? fields[0]
  const options = builder.state.pages.flatMap((page) => page.fields).find(({ id }) => id === field?.id)?.options ?? []
  const nameOf = (value: string | number | boolean) =>
    options.find(({ id }) => id === value)?.label[builder.state.defaultLocale] ?? String(value)
  if (!field) return null
  return (
    <Card
      title={t.answers}
      aside={
        <FilterSelect
          label={t.field}
          value={field.id}
          onChange={({ target }) => setChosen(target.value)}
          options={fields.map(({ id }) => [id, id] as const)}
        />
      }
    >
      <ul className="grid gap-2 text-sm">
        {field.answers.map(({ value, count }) => (
          <li key={String(value)} className="flex justify-between gap-3">
            <span className="min-w-0 truncate">{nameOf(value)}</span>
            <span className="text-ink-2 tabular-nums">
              <Count value={count} /> · <Share value={field.answered < FEWEST ? null : count / field.answered} />
            </span>
          </li>
        ))}
      </ul>
      <p className="pt-3 text-xs text-ink-2">{t.answeredCount(field.answered)}</p>
    </Card>
  )
}

function Groups({ groups, title }: { groups: readonly Group[]; title: string }) {
  const t = useText('funnels')
  return (
    <Card flush title={t.by(title)}>
      <PlainTable
        label={t.by(title)}
        rows={groups}
        keyOf={({ key }) => key ?? ''}
        columns={[
          { title, cell: ({ key }) => key ?? t.none },
          { title: t.sessions, isNumber: true, cell: ({ sessions }) => <Count value={sessions} /> },
          { title: t.paid, isNumber: true, cell: ({ paid }) => <Count value={paid} /> },
          {
            title: t.shareOfSessions,
            isNumber: true,
            isExtra: true,
            cell: (group) => <Share value={shareOf(group)} />,
          },
          {
            title: t.net,
            isNumber: true,
            cell: ({ revenue }) => <Money micros={revenue.amountMicros} currency={revenue.currency} />,
          },
        ]}
      />
    </Card>
  )
}
