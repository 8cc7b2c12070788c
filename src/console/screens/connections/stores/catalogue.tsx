import { useList } from '../../../api/queries'
import type { Schemas } from '../../../api/schemas'
import { Card } from '../../../kit/card'
import { CopyText } from '../../../kit/copy'
import { Empty } from '../../../kit/empty'
import { DataTable } from '../../../kit/table'
import { useProject } from '../../../lib/session'
import { useText } from '../../../text/catalogue'
import type { StoreName } from './model'

/** What the store itself has for sale. */
export function StoreCatalogue({ store }: { store: StoreName }) {
  const t = useText('connections')
  const common = useText('common')
  const { path, hasRole } = useProject()
  const list = useList(
    '/dashboard/projects/{projectId}/apps/{store}/catalog',
    { params: { path: { ...path, store } } },
    { enabled: hasRole('DEVELOPER') },
  )
  if (!hasRole('DEVELOPER')) return null
  return (
    <Card title={t.storeCatalogue} flush>
      <DataTable
        label={t.storeCatalogue}
        list={list}
        keyOf={({ storeId }) => storeId}
        empty={<Empty title={t.storeCatalogueEmpty}>{t.storeCatalogueWhy}</Empty>}
        columns={[
          { title: t.storeId, cell: ({ storeId }) => <CopyText text={storeId} /> },
          { title: common.name, cell: ({ name }) => name, whole: ({ name }) => name },
          { title: common.type, cell: ({ type }) => <span className="font-mono text-xs">{type}</span> },
          { title: t.plans, cell: plansOf, whole: plansOf, isExtra: true },
          { title: common.status, cell: ({ status }) => <span className="font-mono text-xs">{status}</span> },
        ]}
      />
    </Card>
  )
}

const plansOf = ({ basePlans, period }: Schemas['StoreProduct']): string =>
  basePlans.length > 0
    ? basePlans.map(({ id, period: own }) => (own === null ? id : `${id} ${own}`)).join(', ')
    : (period ?? '—')
