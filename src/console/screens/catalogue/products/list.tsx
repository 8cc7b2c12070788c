import { Download, Plus } from 'lucide-react'
import { Button, LinkButton } from '../../../kit/button'
import { Card } from '../../../kit/card'
import { formatPeriod } from '../../../kit/charts/units'
import { Empty } from '../../../kit/empty'
import { Page } from '../../../kit/page'
import { State } from '../../../kit/state'
import { DataTable } from '../../../kit/table'
import { roleFor, useProject, useReading } from '../../../lib/session'
import { useParams } from '../../../lib/url-state'
import { useText } from '../../../text/catalogue'
import { useAccess, useProducts } from '../use-catalogue'
import { WaitingNotice } from '../waiting/notice'
import { useProductColumns } from './columns'
import { isWanted, ProductFilters } from './filters'
import { ImportSheet } from './import-sheet'

/** What the stores sell, and what each product gives. */
export default function Products() {
  const t = useText('catalogue')
  const common = useText('common')
  const { base, can } = useProject()
  const reading = useReading()
  const [params, setParams] = useParams()
  const list = useProducts()
  const { items: access } = useAccess()
  const items = list.items.filter((product) => isWanted(product, params))
  const reason = can('products:write') ? null : common.roleNeeded(roleFor('products:write'))
  const columns = useProductColumns(access)
  const create = reason ? (
    <Button reason={reason}>{t.newProduct}</Button>
  ) : (
    <LinkButton variant="primary" icon={<Plus aria-hidden size={14} />} href={`${base}/catalogue/products/new`}>
      {t.newProduct}
    </LinkButton>
  )
  return (
    <Page
      title={common.products}
      purpose={t.productsPurpose}
      actions={
        <>
          <Button
            icon={<Download aria-hidden size={14} />}
            reason={reason}
            onClick={() => setParams({ do: 'import' }, { push: true })}
          >
            {t.importFromStore}
          </Button>
          {create}
        </>
      }
      filters={<ProductFilters access={access} />}
    >
      <WaitingNotice />
      <Card flush>
        <DataTable
          label={common.products}
          list={{ ...list, items }}
          keyOf={({ id }) => id}
          hrefOf={({ id }) => `${base}/catalogue/products/${id}`}
          empty={
            list.items.length > 0 ? (
              <Empty title={common.nothingFound} />
            ) : (
              <Empty title={t.noProducts} action={create}>
                {t.noProductsHint}
              </Empty>
            )
          }
          columns={columns}
          phone={{
            lines: ({ displayName, identifier, type, period, isActive }) => ({
              title: displayName,
              amount: <State tone={isActive ? 'good' : 'mute'}>{isActive ? t.active : t.inactive}</State>,
              detail: <span className="font-mono text-xs">{identifier}</span>,
              aside: period === null ? t.types[type] : formatPeriod(reading, period),
            }),
          }}
        />
      </Card>
      {params.get('do') === 'import' && (
        <ImportSheet reason={reason} onClose={() => setParams({ do: null, store: null })} />
      )}
    </Page>
  )
}
