import { Plus } from 'lucide-react'
import { useEvery } from '../../../api/every'
import { Button } from '../../../kit/button'
import { Card } from '../../../kit/card'
import { Empty } from '../../../kit/empty'
import { Page } from '../../../kit/page'
import { DataTable } from '../../../kit/table'
import { roleFor, useProject } from '../../../lib/session'
import { useParams } from '../../../lib/url-state'
import { useText } from '../../../text/catalogue'
import { useFlagColumns } from './columns'
import { FlagFilters } from './filters'
import { type FlagRow, groupByKey } from './grouped'
import { NewFlag } from './new-flag'

/** Every flag, with its environments side by side. */
export default function Flags() {
  const t = useText('growth')
  const common = useText('common')
  const { path, base, can } = useProject()
  const [params, setParams] = useParams()
  const list = useEvery('/dashboard/projects/{projectId}/feature-flags', { params: { path, query: { limit: 200 } } })
  const rows = groupByKey(list.items).filter((row) => isWanted(row, params.get('q') ?? '', params.get('type') ?? ''))
  const reason = can('flags:write') ? null : common.roleNeeded(roleFor('flags:write'))
  const columns = useFlagColumns(reason)
  const create = (
    <Button
      variant="primary"
      icon={<Plus aria-hidden size={14} />}
      reason={reason}
      onClick={() => setParams({ do: 'new' }, { push: true })}
    >
      {t.newFlag}
    </Button>
  )
  return (
    <Page title={common.flags} purpose={t.flagsPurpose} actions={create} filters={<FlagFilters />}>
      <Card flush>
        <DataTable
          label={common.flags}
          list={{ ...list, items: rows }}
          keyOf={({ key }) => key}
          hrefOf={({ key }) => `${base}/growth/flags/${encodeURIComponent(key)}`}
          empty={
            list.items.length > 0 ? (
              <Empty title={common.nothingFound} />
            ) : (
              <Empty title={t.noFlags} action={create}>
                {t.noFlagsHint}
              </Empty>
            )
          }
          columns={columns}
        />
      </Card>
      {params.get('do') === 'new' && <NewFlag reason={reason} onClose={() => setParams({ do: null })} />}
    </Page>
  )
}

const isWanted = ({ key, description, type }: FlagRow, text: string, wanted: string): boolean =>
  `${key} ${description ?? ''}`.toLowerCase().includes(text.toLowerCase()) && (wanted === '' || type === wanted)
