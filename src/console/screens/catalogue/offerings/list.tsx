import { MoreHorizontal, Plus } from 'lucide-react'
import { api, type Schemas } from '../../../api/client'
import { useAction } from '../../../api/queries'
import { Button, LinkButton } from '../../../kit/button'
import { Card } from '../../../kit/card'
import { Empty } from '../../../kit/empty'
import { Menu } from '../../../kit/menu'
import { Page } from '../../../kit/page'
import { Chip } from '../../../kit/state'
import { DataTable } from '../../../kit/table'
import { toast } from '../../../kit/toast'
import { Time } from '../../../kit/values'
import { roleFor, useProject } from '../../../lib/session'
import { useText } from '../../../text/catalogue'
import { useOfferings } from '../use-catalogue'

/** What apps show for sale. */
export default function Offerings() {
  const t = useText('catalogue')
  const common = useText('common')
  const { base, can } = useProject()
  const list = useOfferings()
  const reason = can('products:write') ? null : common.roleNeeded(roleFor('products:write'))
  const current = list.items.find(({ isDefault }) => isDefault)
  const create = reason ? (
    <Button reason={reason}>{t.newOffering}</Button>
  ) : (
    <LinkButton variant="primary" icon={<Plus aria-hidden size={14} />} href={`${base}/catalogue/offerings/new`}>
      {t.newOffering}
    </LinkButton>
  )
  return (
    <Page title={common.offerings} purpose={t.offeringsPurpose} actions={create}>
      <Card flush>
        <DataTable
          label={common.offerings}
          list={list}
          keyOf={({ id }) => id}
          hrefOf={({ id }) => `${base}/catalogue/offerings/${id}`}
          empty={
            <Empty title={t.noOfferings} action={create}>
              {t.noOfferingsHint}
            </Empty>
          }
          columns={[
            {
              title: t.identifier,
              cell: ({ identifier }) => <span className="font-mono">{identifier}</span>,
              whole: ({ identifier }) => identifier,
            },
            { title: t.default, cell: ({ isDefault }) => (isDefault ? <Chip tone="info">{t.default}</Chip> : '—') },
            { title: t.packages, isNumber: true, cell: ({ packages }) => packages.length },
            { title: common.updatedAt, isExtra: true, cell: ({ updatedAt }) => <Time at={updatedAt} /> },
            {
              title: <span className="sr-only">{common.actions}</span>,
              isNumber: true,
              cell: (offering) => <RowMenu offering={offering} current={current} reason={reason} />,
            },
          ]}
        />
      </Card>
    </Page>
  )
}

type View = Schemas['CatalogOffering']

/** The mark moves to another offering, and can be moved back. */
function RowMenu({ offering, current, reason }: { offering: View; current: View | undefined; reason: string | null }) {
  const t = useText('catalogue')
  const common = useText('common')
  const { path } = useProject()
  const mark = useAction({
    run: ({ target }: { target: View; before?: View | undefined }) =>
      api.patch('/dashboard/projects/{projectId}/offerings/{id}', {
        params: { path: { ...path, id: target.id } },
        body: { isDefault: true },
      }),
    refreshes: ['/dashboard/projects/{projectId}/offerings', '/dashboard/projects/{projectId}/project-file'],
    onDone: (_, { target, before }) =>
      toast(t.isDefaultNow(target.identifier), before ? { onUndo: () => mark.submit({ target: before }) } : {}),
    onFailure: ({ message }) => toast(message, { isBad: true }),
  })
  return (
    <Menu
      className="inline-flex size-7 items-center justify-center rounded-inner text-ink-2 hover:bg-hover hover:text-ink"
      label={
        <>
          <MoreHorizontal aria-hidden size={15} />
          <span className="sr-only">
            {common.actions} {offering.identifier}
          </span>
        </>
      }
      items={[
        {
          label: t.makeDefault,
          reason: reason ?? (offering.isDefault ? t.isDefaultAlready : null),
          onSelect: () => mark.submit({ target: offering, before: current }),
        },
      ]}
    />
  )
}
