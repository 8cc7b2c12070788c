import { useList } from '../../api/queries'
import { Card } from '../../kit/card'
import { Empty } from '../../kit/empty'
import { useReading } from '../../lib/session'
import { useParams } from '../../lib/url-state'
import { AuditFilters } from '../../parts/audit-filters'
import { filtersOf } from '../../parts/audit-query'
import { AuditSheet, AuditTable } from '../../parts/audit-table'
import { useText } from '../../text/catalogue'
import { PlatformPage } from './platform-page'

/** What administrators of the platform did, and what belongs to no project. */
export default function AuditLog() {
  const t = useText('platform')
  const c = useText('common')
  const [params, set] = useParams()
  const { zone } = useReading()
  const query = filtersOf(params, zone)
  const list = useList('/admin/audit-log', { params: { query } })
  const open = list.items.find(({ id }) => id === params.get('row'))
  const isFiltered = Object.keys(query).length > 0
  return (
    <PlatformPage title={c.auditLog} purpose={t.auditPurpose} filters={<AuditFilters />}>
      <Card flush>
        <AuditTable
          list={list}
          onOpen={({ id }) => set({ row: id }, { push: true })}
          empty={isFiltered ? <Empty title={c.nothingFound} /> : <Empty title={t.noAudit}>{t.noAuditHint}</Empty>}
        />
      </Card>
      {open && <AuditSheet row={open} onClose={() => set({ row: null })} />}
    </PlatformPage>
  )
}
