import { useRead } from '../../../api/queries'
import { LinkButton } from '../../../kit/button'
import { Card, Facts } from '../../../kit/card'
import { Skeleton } from '../../../kit/empty'
import { Failure } from '../../../kit/failure'
import { Page } from '../../../kit/page'
import { Chip } from '../../../kit/state'
import { Time } from '../../../kit/values'
import { useProject } from '../../../lib/session'
import { useText } from '../../../text/catalogue'
import { Arrivals } from './arrivals'
import { PATHS, type StoreStatus } from './model'
import { Circuit, StoreState } from './store-state'

const EVERY_MS = 15_000

export default function Stores() {
  const t = useText('connections')
  const common = useText('common')
  const { path } = useProject()
  const read = useRead(PATHS.apps, { params: { path } }, { every: EVERY_MS })
  return (
    <Page title={common.stores} purpose={t.storesPurpose}>
      {read.error && !read.data && <Failure error={read.error} onRetry={() => void read.refetch()} />}
      {!read.data && !read.error && <Skeleton lines={6} />}
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-3">
        {read.data?.items.map((one) => (
          <StoreCard key={one.store} status={one} />
        ))}
      </div>
    </Page>
  )
}

function StoreCard({ status }: { status: StoreStatus }) {
  const t = useText('connections')
  const { base } = useProject()
  const { store, lastNotificationAt, lastCallOkAt } = status
  return (
    <Card title={t.storeNames[store]} aside={<StoreState status={status} />}>
      <p className="min-h-10 text-sm text-ink-2">{t.storeStates[status.status][1]}</p>
      <Arrivals store={store} />
      <Facts
        items={[
          [t.lastNotification, lastNotificationAt === null ? t.neverHeard : <Time key="n" at={lastNotificationAt} />],
          [t.lastCall, lastCallOkAt === null ? null : <Time key="c" at={lastCallOkAt} />],
          [t.circuit, <Circuit key="s" status={status} />],
        ]}
      />
      <div className="flex items-center justify-between gap-2 pt-3">
        <Chip>{t.storeKinds[store]}</Chip>
        <LinkButton href={`${base}/connections/stores/${store}`} variant={status.status === 'OK' ? 'plain' : 'primary'}>
          {status.status === 'INCOMPLETE' ? t.setUpStore(t.storeNames[store]) : t.openStore(t.storeNames[store])}
        </LinkButton>
      </div>
    </Card>
  )
}
