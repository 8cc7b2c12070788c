import { useList } from '../../../api/queries'
import { Dialog } from '../../../kit/dialog'
import { State, toneOf } from '../../../kit/state'
import { DataTable } from '../../../kit/table'
import { Time } from '../../../kit/values'
import { useProject } from '../../../lib/session'
import { useParams } from '../../../lib/url-state'
import { PersonLink } from '../../../parts/person-link'
import { useWords } from '../../../parts/words'
import { useText } from '../../../text/catalogue'
import { WAITING } from './use-waiting'

const STORES = ['IOS_STORE', 'ANDROID_STORE', 'PAYMENT'] as const
type Store = (typeof STORES)[number]

/** The purchases that wait for the store product of the address, with their people. */
export function Rows() {
  const [params, setParams] = useParams()
  const store = STORES.find((one) => one === params.get('store'))
  const product = params.get('product')
  if (!store || !product) return null
  return (
    <Dialog kind="sheet" title={product} onClose={() => setParams({ store: null, product: null })} isWide>
      <Table store={store} product={product} />
    </Dialog>
  )
}

function Table({ store, product }: { store: Store; product: string }) {
  const t = useText('catalogue')
  const common = useText('common')
  const { path } = useProject()
  const { status } = useWords()
  const list = useList(`${WAITING}/purchases`, {
    params: { path, query: { store, storeProductId: product, limit: 100 } },
  })
  return (
    <DataTable
      label={t.purchases}
      list={list}
      keyOf={({ id }) => id}
      columns={[
        {
          title: t.person,
          cell: ({ subscriberId, appUserId }) =>
            subscriberId === null ? (
              t.nobody
            ) : (
              <PersonLink id={subscriberId} {...(appUserId !== null && { name: appUserId })} />
            ),
          whole: ({ subscriberId, appUserId }) => appUserId ?? subscriberId ?? t.nobody,
        },
        { title: common.state, cell: (one) => <State tone={toneOf(one.status)}>{status(one.status)}</State> },
        { title: t.environment, cell: ({ environment }) => t.environments[environment], isExtra: true },
        { title: t.boughtAt, cell: ({ purchaseDate }) => <Time at={purchaseDate} absolute /> },
      ]}
    />
  )
}
