import { Plus } from 'lucide-react'
import { ENVIRONMENTS } from '../../../../core/flag/names'
import { useEvery } from '../../../api/every'
import { Button } from '../../../kit/button'
import { Card } from '../../../kit/card'
import { Empty } from '../../../kit/empty'
import { Page } from '../../../kit/page'
import { State } from '../../../kit/state'
import { type Column, DataTable } from '../../../kit/table'
import { Time } from '../../../kit/values'
import { roleFor, useProject } from '../../../lib/session'
import { useParams } from '../../../lib/url-state'
import { useText } from '../../../text/catalogue'
import { FlagFilters } from './filters'
import { FlagSwitch } from './flag-switch'
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
          phone={{
            lines: ({ key, environments, updatedAt }) => ({
              title: <span className="font-mono">{key}</span>,
              detail: <FlagStates environments={environments} />,
              aside: <Time at={updatedAt} />,
            }),
          }}
        />
      </Card>
      {params.get('do') === 'new' && <NewFlag reason={reason} onClose={() => setParams({ do: null })} />}
    </Page>
  )
}

/** In which environments a flag is on, for phones. Its switches are on its own screen. */
function FlagStates({ environments }: Pick<FlagRow, 'environments'>) {
  const t = useText('growth')
  const common = useText('common')
  const on = ENVIRONMENTS.filter((env) => environments[env]?.isEnabled).map((env) => t.environments[env])
  return on.length === 0 ? (
    <State tone="mute">{common.off}</State>
  ) : (
    <State tone="good">
      {common.on}: {on.join(', ')}
    </State>
  )
}

const isWanted = ({ key, description, type }: FlagRow, text: string, wanted: string): boolean =>
  `${key} ${description ?? ''}`.toLowerCase().includes(text.toLowerCase()) && (wanted === '' || type === wanted)

/** A flag in the list: one column for each environment, with its switch. */
function useFlagColumns(reason: string | null): Column<FlagRow>[] {
  const t = useText('growth')
  const common = useText('common')
  return [
    { title: t.flagKey, cell: ({ key }) => <span className="font-mono">{key}</span>, whole: ({ key }) => key },
    { title: t.valueType, cell: ({ type }) => t.types[type], isExtra: true },
    ...ENVIRONMENTS.map((env) => ({
      title: t.environments[env],
      cell: (row: FlagRow) => <FlagSwitch row={row} env={env} reason={reason} />,
    })),
    { title: common.updatedAt, cell: ({ updatedAt }) => <Time at={updatedAt} />, isExtra: true },
  ]
}
