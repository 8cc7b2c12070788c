import { Plus } from 'lucide-react'
import { useEvery } from '../../../api/every'
import { Button } from '../../../kit/button'
import { Card } from '../../../kit/card'
import { Empty } from '../../../kit/empty'
import { FilterSelect, TextInput } from '../../../kit/field'
import { Page } from '../../../kit/page'
import { DataTable } from '../../../kit/table'
import { Time } from '../../../kit/values'
import { roleFor, useProject } from '../../../lib/session'
import { useParams } from '../../../lib/url-state'
import { useText } from '../../../text/catalogue'
import { FlagSwitch } from './flag-switch'
import { type FlagRow, groupByKey } from './grouped'
import { ENVIRONMENTS } from './model'
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
    <Page
      title={common.flags}
      purpose={t.flagsPurpose}
      actions={create}
      filters={
        <>
          <div className="w-64 max-w-full">
            <TextInput
              type="search"
              aria-label={common.search}
              placeholder={t.searchFlags}
              value={params.get('q') ?? ''}
              onChange={({ target }) => setParams({ q: target.value })}
            />
          </div>
          <FilterSelect
            label={t.valueType}
            value={params.get('type') ?? ''}
            onChange={({ target }) => setParams({ type: target.value })}
            options={[
              ['', common.all],
              ...(['BOOLEAN', 'STRING', 'NUMBER', 'JSON'] as const).map((type) => [type, t.types[type]] as const),
            ]}
          />
        </>
      }
    >
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
          columns={[
            { title: t.flagKey, cell: ({ key }) => <span className="font-mono">{key}</span>, whole: ({ key }) => key },
            { title: t.valueType, cell: ({ type }) => t.types[type], isExtra: true },
            ...ENVIRONMENTS.map((env) => ({
              title: t.environments[env],
              cell: (row: FlagRow) => <FlagSwitch row={row} env={env} reason={reason} />,
            })),
            { title: common.updatedAt, cell: ({ updatedAt }) => <Time at={updatedAt} />, isExtra: true },
          ]}
        />
      </Card>
      {params.get('do') === 'new' && <NewFlag onClose={() => setParams({ do: null })} />}
    </Page>
  )
}

const isWanted = ({ key, description, type }: FlagRow, text: string, wanted: string): boolean =>
  `${key} ${description ?? ''}`.toLowerCase().includes(text.toLowerCase()) && (wanted === '' || type === wanted)
