import { useParams as useRouteParams } from 'wouter'
import { useRead } from '../../../api/queries'
import { Card, Columns, Facts } from '../../../kit/card'
import { Skeleton } from '../../../kit/empty'
import { Failure } from '../../../kit/failure'
import { Page } from '../../../kit/page'
import { ProjectFilePart } from '../../../kit/project-file'
import { Time } from '../../../kit/values'
import { useProject } from '../../../lib/session'
import { Missing } from '../../../shell/missing'
import { useText } from '../../../text/catalogue'
import { Android } from './android'
import { Arrivals } from './arrivals'
import { StoreCatalogue } from './catalogue'
import { Ios } from './ios'
import { type Credentials, PATHS, STORES, type StoreName, type StoreStatus } from './model'
import { Payment } from './payment'
import { RemoveCredentials } from './remove-credentials'
import { Circuit, StoreState } from './store-state'

const PARTS = { ios: Ios, android: Android, payment: Payment }

/** One store: the steps of its setup in order, the state of its connection, and its products. */
export default function Store() {
  const { store: given } = useRouteParams<{ store: string }>()
  const store = STORES.find((one) => one === given)
  return store ? <StoreScreen store={store} /> : <Missing />
}

function StoreScreen({ store }: { store: StoreName }) {
  const t = useText('connections')
  const common = useText('common')
  const { path, base } = useProject()
  const credentials = useRead(PATHS.credentials, { params: { path } })
  const apps = useRead(PATHS.apps, { params: { path } }, { every: 10_000 })
  const status = apps.data?.items.find((one) => one.store === store)
  const Part = PARTS[store]
  return (
    <Page
      title={t.storeNames[store]}
      crumbs={[[common.stores, `${base}/connections`]]}
      purpose={t.storePurposes[store]}
      beside={status && <StoreState status={status} />}
    >
      {credentials.error && !credentials.data && (
        <Failure error={credentials.error} onRetry={() => void credentials.refetch()} />
      )}
      {!credentials.data && !credentials.error && <Skeleton lines={6} />}
      {credentials.data && (
        <Columns
          main={
            <>
              <Part credentials={credentials.data} />
              {canList(credentials.data, store) && <StoreCatalogue store={store} />}
            </>
          }
          side={
            <>
              {status && <StoreFacts status={status} />}
              {credentials.data[store].configured && (
                <RemoveCredentials store={store} revision={credentials.data[store].revision} />
              )}
              <ProjectFilePart kind="store" identifier={store} revision={credentials.data[store].revision} />
            </>
          }
        />
      )}
    </Page>
  )
}

/** Whether the saved keys suffice to read the products of the store. */
const canList = ({ ios, android, payment }: Credentials, store: StoreName): boolean =>
  ({ ios: ios.storeConnectKey !== null, android: android.clientEmail !== null, payment: payment.configured })[store]

function StoreFacts({ status }: { status: StoreStatus }) {
  const t = useText('connections')
  const common = useText('common')
  const { lastNotificationAt, lastCallOkAt } = status
  return (
    <Card title={common.state}>
      <p className="pb-2 text-sm text-ink-2">{t.storeStates[status.status][1]}</p>
      <Arrivals store={status.store} />
      <Facts
        items={[
          [t.lastNotification, lastNotificationAt === null ? t.neverHeard : <Time key="n" at={lastNotificationAt} />],
          [t.lastCall, lastCallOkAt === null ? null : <Time key="c" at={lastCallOkAt} />],
          [t.circuit, <Circuit key="s" status={status} />],
        ]}
      />
    </Card>
  )
}
