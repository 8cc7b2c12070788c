import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useRead } from '../../api/queries'
import type { Schemas } from '../../api/schemas'
import { Card, Facts } from '../../kit/card'
import { Skeleton } from '../../kit/empty'
import { Failure } from '../../kit/failure'
import { Count } from '../../kit/values'
import { formatBytes, formatNumber } from '../../lib/format'
import { useReading } from '../../lib/session'
import { useText } from '../../text/catalogue'
import { PlatformPage } from './platform-page'

const EVERY_MS = 15_000

/** The whole deployment in figures: sizes, and what waits. */
export default function Figures() {
  const t = useText('platform')
  const c = useText('common')
  const metrics = useRead('/admin/metrics', {}, { every: EVERY_MS })
  return (
    <PlatformPage title={c.platform} purpose={t.figuresPurpose}>
      {metrics.data && <Sizes metrics={metrics.data} />}
      {!metrics.data && (
        <Card>
          {metrics.error ? <Failure error={metrics.error} onRetry={() => void metrics.refetch()} /> : <Skeleton />}
        </Card>
      )}
    </PlatformPage>
  )
}

function Sizes({ metrics }: { metrics: Schemas['PlatformMetrics'] }) {
  const t = useText('platform')
  const c = useText('common')
  const reading = useReading()
  const { queueDepth, databaseBytes } = metrics
  return (
    <>
      <div className="grid grid-cols-2 gap-4 md:grid-cols-4">
        <Figure name={c.projects} href="/platform/projects" value={metrics.projects} />
        <Figure name={c.users} href="/platform/users" value={metrics.users} />
        <Figure name={c.subscribers} value={metrics.subscribers} />
        <Figure name={t.activeSubscriptions} value={metrics.activeSubscriptions} />
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 md:grid-cols-2">
        <Card title={t.queue}>
          <Facts
            items={[
              [t.waiting, <JobLink key="waiting" state="WAITING" value={queueDepth.WAITING} />],
              [t.running, <JobLink key="running" state="RUNNING" value={queueDepth.RUNNING} />],
              [t.dead, <JobLink key="dead" state="DEAD" value={queueDepth.DEAD} />],
            ]}
          />
        </Card>
        <Card title={t.load}>
          <Facts
            items={[
              [t.requestsPerMinute, <Count key="requests" value={metrics.requestsPerMinute} digits={1} />],
              [t.webhookLag, t.seconds(formatNumber(reading, metrics.webhookLagSeconds))],
              [t.storeLag, t.seconds(formatNumber(reading, metrics.storeEventLagSeconds))],
              [t.database, databaseBytes === null ? null : formatBytes(reading, databaseBytes)],
            ]}
          />
        </Card>
      </div>
    </>
  )
}

const JobLink = ({ state, value }: { state: string; value: number }) => (
  <Link href={`/platform/jobs?state=${state}`} className="text-accent hover:underline">
    <Count value={value} />
  </Link>
)

function Figure({ name, value, href }: { name: string; value: number; href?: string }) {
  const number: ReactNode = <Count value={value} />
  return (
    <section className="grid min-w-0 gap-1 rounded-card border border-line bg-surface p-4 shadow-card">
      <h2 className="truncate text-xs text-ink-2">{name}</h2>
      <p className="text-2xl font-medium tracking-[-0.022em]">
        {href ? (
          <Link href={href} className="hover:underline">
            {number}
          </Link>
        ) : (
          number
        )}
      </p>
    </section>
  )
}
