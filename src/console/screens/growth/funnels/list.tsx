import { Plus } from 'lucide-react'
import { FUNNEL_STATUSES } from '../../../../core/funnel/model'
import { useList } from '../../../api/queries'
import { Button } from '../../../kit/button'
import { Card } from '../../../kit/card'
import { Empty } from '../../../kit/empty'
import { FilterSelect } from '../../../kit/filter-select'
import { FilterRow } from '../../../kit/filters'
import { Page } from '../../../kit/page'
import { Chip } from '../../../kit/state'
import { DataTable } from '../../../kit/table'
import { Time } from '../../../kit/values'
import { roleFor, useProject } from '../../../lib/session'
import { useParam } from '../../../lib/url-state'
import { useText } from '../../../text/catalogue'
import { FunnelTabs } from '../funnel-tabs'
import type { FunnelView } from './model'
import { NewFunnel } from './new-funnel'
import { FunnelFigures } from './numbers/figures'
import { Templates } from './templates'
import { FUNNELS } from './use-funnel-edit'

/** Pages on the web that ask, offer and sell. */
export default function Funnels() {
  const t = useText('funnels')
  const words = useText('funnelWords')
  const common = useText('common')
  const { base, path, can } = useProject()
  const [act, setAct] = useParam('do')
  const [chosen, setStatus] = useParam('status')
  const status = FUNNEL_STATUSES.find((one) => one === chosen)
  const list = useList(FUNNELS, { params: { path, query: { ...(status && { status }) } } })
  const reason = can('funnels:write') ? null : common.roleNeeded(roleFor('funnels:write'))
  const open = (template: string) => setAct(template === '' ? 'new' : `new:${template}`, { push: true })
  return (
    <Page
      title={common.funnels}
      purpose={t.purpose}
      actions={
        <Button variant="primary" icon={<Plus aria-hidden size={14} />} reason={reason} onClick={() => open('')}>
          {t.newFunnel}
        </Button>
      }
    >
      {act.startsWith('new') && <NewFunnel template={act.slice(4)} reason={reason} onClose={() => setAct(null)} />}
      <FunnelTabs here="funnels" />
      <FilterRow>
        <FilterSelect
          label={common.status}
          value={status ?? ''}
          onChange={({ target }) => setStatus(target.value)}
          options={[['', common.all], ...FUNNEL_STATUSES.map((one) => [one, t.statuses[one]] as const)]}
        />
      </FilterRow>
      <Card flush footer={t.listHint}>
        <DataTable
          label={common.funnels}
          list={list}
          keyOf={({ id }) => id}
          hrefOf={({ id }) => `${base}/growth/funnels/${id}`}
          empty={status ? <Empty title={common.nothingFound} /> : <Empty title={t.noFunnels}>{t.noFunnelsHint}</Empty>}
          phone={{
            lines: (funnel) => ({
              title: funnel.name,
              detail: <FunnelStatus funnel={funnel} />,
              aside: <Time at={funnel.updatedAt} />,
            }),
          }}
          columns={[
            { title: t.funnel, cell: ({ name }) => name, whole: ({ name }) => name },
            { title: words.slug, cell: ({ slug }) => <span className="font-mono">/{slug}</span> },
            { title: common.state, cell: (funnel) => <FunnelStatus funnel={funnel} /> },
            { title: t.pages, isNumber: true, isExtra: true, cell: ({ draft }) => draft.pages.length },
            {
              title: t.sessions30,
              isNumber: true,
              isExtra: true,
              cell: ({ id }) => <FunnelFigures id={id} figure="sessions" />,
            },
            { title: t.paid, isNumber: true, isExtra: true, cell: ({ id }) => <FunnelFigures id={id} figure="paid" /> },
            {
              title: t.net,
              isNumber: true,
              isExtra: true,
              cell: ({ id }) => <FunnelFigures id={id} figure="revenue" />,
            },
            { title: common.updatedAt, isExtra: true, cell: ({ updatedAt }) => <Time at={updatedAt} /> },
          ]}
        />
      </Card>
      <Templates reason={reason} onChoose={open} />
    </Page>
  )
}

/** The state of a funnel as a chip. */
export function FunnelStatus({ funnel }: { funnel: Pick<FunnelView, 'status' | 'currentVersionNo'> }) {
  const t = useText('funnels')
  const { status, currentVersionNo } = funnel
  if (status === 'PUBLISHED') return <Chip tone="good">{t.liveVersion(currentVersionNo ?? 0)}</Chip>
  return <Chip tone={status === 'DRAFT' ? 'info' : 'mute'}>{t.statuses[status]}</Chip>
}
