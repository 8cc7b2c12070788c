import { MoreHorizontal, Plus } from 'lucide-react'
import { api } from '../../../api/client'
import { useAction } from '../../../api/queries'
import type { Schemas } from '../../../api/schemas'
import { Button, LinkButton } from '../../../kit/button'
import { Card } from '../../../kit/card'
import { Empty } from '../../../kit/empty'
import { Menu } from '../../../kit/menu'
import { Page } from '../../../kit/page'
import { Chip } from '../../../kit/state'
import { DataTable } from '../../../kit/table'
import { toast } from '../../../kit/toast'
import { useFailureToast } from '../../../kit/use-failure-toast'
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
              isMenu: true,
              cell: (offering) => <RowMenu offering={offering} current={current} reason={reason} />,
            },
          ]}
        />
      </Card>
    </Page>
  )
}

const REFRESHES = ['/dashboard/projects/{projectId}/offerings', '/dashboard/projects/{projectId}/project-file']

type View = Schemas['CatalogOffering']

/** The mark moves to another offering, and can be moved back. */
function RowMenu({ offering, current, reason }: { offering: View; current: View | undefined; reason: string | null }) {
  const t = useText('catalogue')
  const common = useText('common')
  const { path } = useProject()
  const set = ({ id }: View) =>
    api.patch('/dashboard/projects/{projectId}/offerings/{id}', {
      params: { path: { ...path, id } },
      body: { isDefault: true },
    })
  const fail = useFailureToast()
  const back = useAction({
    run: set,
    refreshes: REFRESHES,
    onDone: ({ identifier }) => toast(t.isDefaultNow(identifier)),
    onFailure: fail,
  })
  const mark = useAction({
    run: () => set(offering),
    refreshes: REFRESHES,
    onDone: ({ identifier }) =>
      toast(t.isDefaultNow(identifier), current ? { onUndo: () => back.submit(current) } : {}),
    onFailure: fail,
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
          onSelect: () => mark.submit(undefined),
        },
      ]}
    />
  )
}
