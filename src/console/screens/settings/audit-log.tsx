import { ShieldCheck } from 'lucide-react'
import { type Listing, useList, useRead } from '../../api/queries'
import { Button } from '../../kit/button'
import { Card } from '../../kit/card'
import { Empty } from '../../kit/empty'
import { Page } from '../../kit/page'
import { useProject, useReading } from '../../lib/session'
import { useParams } from '../../lib/url-state'
import { AuditFilters } from '../../parts/audit-filters'
import { filtersOf } from '../../parts/audit-query'
import type { AuditRow } from '../../parts/audit-row'
import { AuditSheet, AuditTable } from '../../parts/audit-table'
import { useText } from '../../text/catalogue'
import { AuditProof } from './audit-proof'

const LOG = '/dashboard/projects/{projectId}/audit-log'

/** Every change of the project: who, what, when, and the state before and after it. */
export default function AuditLog() {
  const t = useText('settings')
  const c = useText('common')
  const { path } = useProject()
  const [params, set] = useParams()
  const { zone } = useReading()
  const query = filtersOf(params, zone)
  const list = useList(LOG, { params: { path, query } })
  const open = useOpenRow(list)
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
          onOpen={({ id, at }) => set({ row: id, at }, { push: true })}
          empty={isFiltered ? <Empty title={c.nothingFound} /> : <Empty title={t.noAudit}>{t.noAuditHint}</Empty>}
        />
      </Card>
      {open && <AuditSheet row={open} onClose={() => set({ row: null, at: null })} />}
      {params.get('do') === 'proof' && <AuditProof onClose={() => set({ do: null })} />}
    </Page>
  )
}

/** The row that the address names. By its time it is found on every page, and whatever the filters are. */
function useOpenRow(list: Listing<AuditRow>): AuditRow | undefined {
  const { path } = useProject()
  const [params] = useParams()
  const [row, from] = [params.get('row'), Date.parse(params.get('at') ?? '')]
  const isRow = ({ id }: AuditRow) => id === row
  const shown = list.items.find(isRow)
  const period = Number.isNaN(from) ? {} : { from: toInstant(from), to: toInstant(from + 1) }
  const around = useRead(
    LOG,
    { params: { path, query: { ...period, limit: 200 } } },
    { enabled: row !== null && 'from' in period && !shown && !list.isLoading },
  )
  return shown ?? (row === null ? undefined : around.data?.items.find(isRow))
}

const toInstant = (at: number): string => new Date(at).toISOString()
