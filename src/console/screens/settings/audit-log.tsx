import { ShieldCheck } from 'lucide-react'
import { useList } from '../../api/queries'
import { Button } from '../../kit/button'
import { Card } from '../../kit/card'
import { Empty } from '../../kit/empty'
import { Page } from '../../kit/page'
import { useProject } from '../../lib/session'
import { useParams } from '../../lib/url-state'
import { AuditFilters, filtersOf } from '../../parts/audit-filters'
import { AuditSheet, AuditTable } from '../../parts/audit-table'
import { useText } from '../../text/catalogue'
import { AuditProof } from './audit-proof'

/** Every change of the project: who, what, when, and the state before and after it. */
export default function AuditLog() {
  const t = useText('settings')
  const c = useText('common')
  const { path } = useProject()
  const [params, set] = useParams()
  const query = filtersOf(params)
  const list = useList('/dashboard/projects/{projectId}/audit-log', { params: { path, query } })
  const open = list.items.find(({ id }) => id === params.get('row'))
  const isFiltered = Object.keys(query).length > 0
  return (
    <Page
      title={c.auditLog}
      purpose={t.auditPurpose}
      actions={
        <Button icon={<ShieldCheck aria-hidden size={15} />} onClick={() => set({ do: 'proof' }, { push: true })}>
          {t.proof}
        </Button>
      }
      filters={<AuditFilters />}
    >
      <Card flush>
        <AuditTable
          list={list}
          onOpen={(row) => set({ row }, { push: true })}
          empty={isFiltered ? <Empty title={c.nothingFound} /> : <Empty title={t.noAudit}>{t.noAuditHint}</Empty>}
        />
      </Card>
      {open && <AuditSheet row={open} onClose={() => set({ row: null })} />}
      {params.get('do') === 'proof' && <AuditProof onClose={() => set({ do: null })} />}
    </Page>
  )
}
