import { Plus } from 'lucide-react'
import { Link } from 'wouter'
import { Button } from '../../kit/button'
import { Card } from '../../kit/card'
import { Empty } from '../../kit/empty'
import { Page } from '../../kit/page'
import { DataTable } from '../../kit/table'
import { Time } from '../../kit/values'
import { roleFor, useProject } from '../../lib/session'
import { useParams } from '../../lib/url-state'
import { useText } from '../../text/catalogue'
import { AccessSheet } from './access-sheet'
import { useAccess } from './use-catalogue'

/** Access levels: what products give, and what apps ask for. */
export default function AccessLevels() {
  const t = useText('catalogue')
  const common = useText('common')
  const { base, can } = useProject()
  const [params, setParams] = useParams()
  const list = useAccess()
  const reason = can('products:write') ? null : common.roleNeeded(roleFor('products:write'))
  const opened = list.items.find(({ id }) => id === params.get('id'))
  const close = () => setParams({ do: null, id: null })
  const create = (
    <Button
      variant="primary"
      icon={<Plus aria-hidden size={14} />}
      reason={reason}
      onClick={() => setParams({ do: 'new' }, { push: true })}
    >
      {t.newAccess}
    </Button>
  )
  return (
    <Page title={common.access} purpose={t.accessPurpose} actions={create}>
      <Card flush>
        <DataTable
          label={common.access}
          list={list}
          keyOf={({ id }) => id}
          hrefOf={({ id }) => `${base}/catalogue/access?do=edit&id=${id}`}
          empty={
            <Empty title={t.noAccess} action={create}>
              {t.noAccessHint}
            </Empty>
          }
          columns={[
            {
              title: t.identifier,
              cell: ({ identifier }) => <span className="font-mono">{identifier}</span>,
              whole: ({ identifier }) => identifier,
            },
            { title: common.name, cell: ({ displayName }) => displayName, whole: ({ displayName }) => displayName },
            { title: common.description, isExtra: true, cell: ({ description }) => description ?? '—' },
            {
              title: common.products,
              isNumber: true,
              cell: ({ id, productCount }) => (
                <Link href={`${base}/catalogue?access=${id}`} className="text-accent hover:underline">
                  {productCount}
                </Link>
              ),
            },
            { title: common.updatedAt, isExtra: true, cell: ({ updatedAt }) => <Time at={updatedAt} /> },
          ]}
        />
      </Card>
      {params.get('do') === 'new' && <AccessSheet key="new" access={null} reason={reason} onClose={close} />}
      {params.get('do') === 'edit' && opened && (
        <AccessSheet key={opened.id} access={opened} reason={reason} onClose={close} />
      )}
    </Page>
  )
}
