import { useState } from 'react'
import { ApiFailure } from '../../api/failure'
import { useRead } from '../../api/queries'
import type { Schemas } from '../../api/schemas'
import { Card, Columns, Stack } from '../../kit/card'
import { Skeleton } from '../../kit/empty'
import { Failure } from '../../kit/failure'
import { Page } from '../../kit/page'
import { State } from '../../kit/state'
import { makePart, usePart } from '../../lib/part'
import { useProject } from '../../lib/session'
import { SandboxNote, useSandboxAlone } from '../../parts/sandbox-note'
import { fetchPart } from '../../shell/server-state'
import { useText } from '../../text/catalogue'
import { OVERVIEW } from './asked'
import { Figures } from './figures'
import { type Live, useLive } from './live'
import { LiveEvents } from './live-events'
import { NeedsALook } from './needs'
import { RenewalsAhead } from './renewals'
import { RevenueChart } from './revenue-chart'
import { Stores } from './stores'

export { askAhead } from './asked'

/** The screen until the first purchase; its code is fetched only then. */
const firstRun = makePart(() => fetchPart(() => import('./first-run')))

/** The project at a glance, as it changes. */
export default function Overview() {
  const t = useText('overview')
  const { path } = useProject()
  // Another project's answer would decide about the first run.
  const overview = useRead(OVERVIEW, { params: { path } }, { keep: false })
  const live = useLive()
  if (overview.data) return <Known key={path.projectId} overview={overview.data} live={live} />
  if (overview.error instanceof ApiFailure && overview.error.status >= 500)
    return <Rest live={live} error={overview.error} onRetry={() => void overview.refetch()} />
  return (
    <Page title={t.title}>
      {overview.error ? (
        <Failure error={overview.error} onRetry={() => void overview.refetch()} />
      ) : (
        <Skeleton lines={9} />
      )}
    </Page>
  )
}

/** The first run, until the person has seen the first purchase; then the overview. */
function Known({ overview, live }: { overview: Schemas['Overview']; live: Live }) {
  const t = useText('overview')
  const [isFirst, setFirst] = useState(overview.first.purchase === null)
  if (isFirst) return <First onDone={() => setFirst(false)} />
  return (
    <Page title={t.title} actions={<Basis live={live} />}>
      <Glance overview={overview} live={live} />
    </Page>
  )
}

function First({ onDone }: { onDone: () => void }) {
  const t = useText('overview')
  const part = usePart(firstRun)
  if (part) return <part.default onDone={onDone} />
  return (
    <Page title={t.title}>
      <Skeleton lines={6} />
    </Page>
  )
}

const Glance = ({ overview, live }: { overview: Schemas['Overview']; live: Live }) => (
  <Stack>
    <SandboxAlone overview={overview} />
    <Figures overview={overview} />
    <Columns
      main={
        <>
          <RevenueChart />
          <LiveEvents live={live} />
        </>
      }
      side={
        <>
          <NeedsALook health={overview.health} />
          <Stores stores={overview.stores} />
          <RenewalsAhead />
        </>
      }
    />
  </Stack>
)

interface RestProps {
  live: Live
  error: Error
  onRetry: () => void
}

/** What does not come with the figures, while the server cannot tell them. */
function Rest({ live, error, onRetry }: RestProps) {
  const t = useText('overview')
  return (
    <Page title={t.title} actions={<Basis live={live} />}>
      <Stack>
        <Card>
          <Failure error={error} onRetry={onRetry} />
        </Card>
        <Columns
          main={
            <>
              <RevenueChart />
              <LiveEvents live={live} />
            </>
          }
          side={<RenewalsAhead />}
        />
      </Stack>
    </Page>
  )
}

/** Why every figure is 0, where all was bought in the sandbox. */
function SandboxAlone({ overview }: { overview: Schemas['Overview'] }) {
  const { mrr, activeSubscriptions, trials, revenue30d } = overview
  const isEmpty = [mrr, activeSubscriptions, trials, revenue30d].every(({ daily }) => daily.every((one) => one === 0))
  return (
    useSandboxAlone(isEmpty) && (
      <div role="status" className="rounded-card border border-line-2 bg-accent-soft px-4 py-2">
        <SandboxNote />
      </div>
    )
  )
}

/** Whether the figures are of now, in what they count, and by whose days. */
function Basis({ live }: { live: Live }) {
  const t = useText('overview')
  const common = useText('common')
  const { project } = useProject()
  return (
    <p className="flex flex-wrap items-center gap-x-2 text-xs text-ink-2">
      {live.state === 'reconnecting' ? (
        <State tone="warn">{common.reconnecting}</State>
      ) : (
        <State tone="good" live>
          {t.upToDate}
        </State>
      )}
      <span>{t.basis('USD', project.timezone)}</span>
    </p>
  )
}
