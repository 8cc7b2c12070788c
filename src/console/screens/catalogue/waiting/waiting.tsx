import { Plus } from 'lucide-react'
import { Link } from 'wouter'
import { useList } from '../../../api/queries'
import type { Schemas } from '../../../api/schemas'
import { Button } from '../../../kit/button'
import { Card, Stack } from '../../../kit/card'
import { Empty } from '../../../kit/empty'
import { Page } from '../../../kit/page'
import { State } from '../../../kit/state'
import { type Column, DataTable } from '../../../kit/table'
import { Count, Money, Time } from '../../../kit/values'
import { roleFor, useProject } from '../../../lib/session'
import { useParams } from '../../../lib/url-state'
import { StoreName } from '../../../parts/store'
import { useHref } from '../../../parts/use-href'
import { useText } from '../../../text/catalogue'
import { CreateAll } from './create-all'
import { Linking } from './notice'
import { Rows } from './rows'
import { useProgress, WAITING } from './use-waiting'

type Waiting = Schemas['WaitingProduct']

const TONES = { MISSING: 'warn', LINKING: 'info', OUTSIDE: 'mute' } as const

/** The products that people bought and the catalogue lacks. */
export default function WaitingPurchases() {
  const t = useText('catalogue')
  const common = useText('common')
  const { base, path, can } = useProject()
  const href = useHref()
  const [params, setParams] = useParams()
  const list = useList(WAITING, { params: { path, query: { limit: 100 } } })
  const progress = useProgress()
  const reason = can('products:write') ? null : common.roleNeeded(roleFor('products:write'))
  const columns = useColumns(reason)
  const isMissing = list.items.some(({ state }) => state === 'MISSING')
  return (
    <Page
      title={t.waiting}
      crumbs={[
        [common.catalogue, `${base}/catalogue`],
        [common.products, `${base}/catalogue`],
      ]}
      purpose={t.waitingPurpose}
      actions={
        <Button
          variant="primary"
          icon={<Plus aria-hidden size={14} />}
          reason={reason ?? (isMissing ? null : t.nothingToCreate)}
          onClick={() => setParams({ do: 'create' }, { push: true })}
        >
          {t.createProducts}
        </Button>
      }
    >
      <Stack>
        {progress && <Linking progress={progress} />}
        <Card flush footer={list.items.length > 0 ? t.chargedHint : undefined}>
          <DataTable
            label={t.waiting}
            list={list}
            keyOf={({ store, storeProductId }) => `${store} ${storeProductId}`}
            hrefOf={({ store, storeProductId }) => href('/catalogue/waiting', { store, product: storeProductId })}
            empty={<Empty title={t.nothingWaits}>{t.nothingWaitsHint}</Empty>}
            columns={columns}
          />
        </Card>
      </Stack>
      <Rows />
      {params.get('do') === 'create' && <CreateAll reason={reason} onClose={() => setParams({ do: null })} />}
    </Page>
  )
}

function useColumns(reason: string | null): Column<Waiting>[] {
  const t = useText('catalogue')
  const common = useText('common')
  return [
    {
      title: t.storeProduct,
      cell: ({ store, storeProductId }) => (
        <span className="inline-flex items-center gap-1.5 align-middle">
          <StoreName store={store} isShort />
          <span className="font-mono text-xs">{storeProductId}</span>
        </span>
      ),
      whole: ({ storeProductId }) => storeProductId,
    },
    { title: common.state, cell: ({ state }) => <State tone={TONES[state]}>{t.waitingStates[state]}</State> },
    { title: t.purchases, cell: ({ purchases, sales }) => <Count value={purchases + sales} />, isNumber: true },
    { title: t.people, cell: ({ people }) => <Count value={people} />, isNumber: true },
    { title: t.charged, cell: (one) => <Charged of={one} />, isNumber: true },
    { title: t.firstSeen, cell: ({ firstSeenAt }) => <Time at={firstSeenAt} absolute day />, isExtra: true },
    { title: t.lastSeen, cell: ({ lastSeenAt }) => <Time at={lastSeenAt} absolute day />, isExtra: true },
    { title: <span className="sr-only">{t.createProduct}</span>, cell: (one) => <Create of={one} reason={reason} /> },
  ]
}

/** Dollars of production, with a mark for charges that are not known in dollars. */
function Charged({ of: { usdMicros, unconverted } }: { of: Waiting }) {
  const t = useText('catalogue')
  if (unconverted === 0) return <Money micros={usdMicros} currency="USD" />
  return (
    <span title={t.notInDollars(unconverted)}>
      <Money micros={usdMicros} currency="USD" /> <span aria-hidden>+ ?</span>
      <span className="sr-only">{t.notInDollars(unconverted)}</span>
    </span>
  )
}

/** Leads to a new product with everything that the purchases tell. */
function Create({
  of: { store, storeProductId, type, period, state },
  reason,
}: {
  of: Waiting
  reason: string | null
}) {
  const t = useText('catalogue')
  const href = useHref()
  if (state === 'LINKING') return null
  if (reason !== null) return <Button reason={reason}>{t.createProduct}</Button>
  const given = { store, storeId: storeProductId, type, ...(period !== null && { period }) }
  return (
    <Link href={href('/catalogue/products/new', given)} className="text-accent hover:underline">
      {t.createProduct}
    </Link>
  )
}
