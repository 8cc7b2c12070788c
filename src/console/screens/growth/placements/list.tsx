import { Download, Plus } from 'lucide-react'
import { useList } from '../../../api/queries'
import { Button, DownloadButton, LinkButton } from '../../../kit/button'
import { Card } from '../../../kit/card'
import { Empty } from '../../../kit/empty'
import { Page } from '../../../kit/page'
import { State } from '../../../kit/state'
import { DataTable } from '../../../kit/table'
import { Time } from '../../../kit/values'
import { roleFor, useProject } from '../../../lib/session'
import { useText } from '../../../text/catalogue'

/** Places in apps, and what is shown there to whom. */
export default function Placements() {
  const t = useText('growth')
  const common = useText('common')
  const { base, path, api, can } = useProject()
  const list = useList('/dashboard/projects/{projectId}/placements', { params: { path, query: {} } })
  const create = can('placements:write') ? (
    <LinkButton variant="primary" icon={<Plus aria-hidden size={14} />} href={`${base}/growth/placements/new`}>
      {t.newPlacement}
    </LinkButton>
  ) : (
    <Button reason={common.roleNeeded(roleFor('placements:write'))}>{t.newPlacement}</Button>
  )
  return (
    <Page
      title={common.placements}
      purpose={t.placementsPurpose}
      actions={
        <>
          <DownloadButton href={`${api}/placements/fallback-export`} icon={<Download aria-hidden size={14} />}>
            {t.fallbackExport}
          </DownloadButton>
          {create}
        </>
      }
    >
      <Card flush footer={t.fallbackHint}>
        <DataTable
          label={common.placements}
          list={list}
          keyOf={({ id }) => id}
          hrefOf={({ id }) => `${base}/growth/placements/${id}`}
          empty={
            <Empty title={t.noPlacements} action={create}>
              {t.noPlacementsHint}
            </Empty>
          }
          columns={[
            {
              title: t.identifier,
              cell: ({ identifier }) => <span className="font-mono">{identifier}</span>,
              whole: ({ identifier }) => identifier,
            },
            { title: common.name, cell: ({ name }) => name, whole: ({ name }) => name },
            { title: t.rows, isNumber: true, cell: ({ rows }) => rows.length },
            {
              title: common.state,
              cell: ({ isActive }) => (
                <State tone={isActive ? 'good' : 'mute'}>{isActive ? t.active : t.inactive}</State>
              ),
            },
            { title: common.updatedAt, isExtra: true, cell: ({ updatedAt }) => <Time at={updatedAt} /> },
          ]}
        />
      </Card>
    </Page>
  )
}
