import { useList } from '../../../api/queries'
import { Button } from '../../../kit/button'
import { Card } from '../../../kit/card'
import { Empty } from '../../../kit/empty'
import { Because } from '../../../kit/mark'
import { Page } from '../../../kit/page'
import { State } from '../../../kit/state'
import { DataTable } from '../../../kit/table'
import { Share } from '../../../kit/values'
import { useProject } from '../../../lib/session'
import { useParam } from '../../../lib/url-state'
import { useText } from '../../../text/catalogue'
import { useRights } from '../shared/rights'
import { CreateEndpoint } from './create-endpoint'
import type { Endpoint } from './model'

export default function Endpoints() {
  const t = useText('connections')
  const common = useText('common')
  const { path, base } = useProject()
  const list = useList('/dashboard/projects/{projectId}/webhook-endpoints', { params: { path } })
  const [doing, setDoing] = useParam('do')
  const create = (
    <Button
      variant="primary"
      onClick={() => setDoing('create', { push: true })}
      reason={useRights().needs('webhooks:write')}
    >
      {t.newEndpoint}
    </Button>
  )
  return (
    <Page title={common.webhooks} purpose={t.webhooksPurpose} actions={create}>
      <Card flush>
        <DataTable
          label={common.webhooks}
          list={list}
          keyOf={({ id }) => id}
          hrefOf={({ id }) => `${base}/connections/webhooks/${id}`}
          empty={<Empty title={t.noEndpoints}>{t.noEndpointsWhy}</Empty>}
          columns={[
            { title: common.name, cell: ({ name }) => name, whole: ({ name }) => name },
            { title: common.status, cell: (one) => <EndpointState endpoint={one} /> },
            {
              title: t.url,
              cell: ({ url }) => <span className="font-mono text-xs">{url}</span>,
              whole: ({ url }) => url,
            },
            {
              title: t.eventTypes,
              cell: ({ eventTypes }) => <span className="font-mono text-xs">{eventTypes.join(', ')}</span>,
              whole: ({ eventTypes }) => eventTypes.join(', '),
              isExtra: true,
            },
            {
              title: t.success24h,
              cell: ({ successRate24h }) => <Share value={successRate24h} />,
              isNumber: true,
              isExtra: true,
            },
          ]}
        />
      </Card>
      {doing === 'create' && <CreateEndpoint onClose={() => setDoing(null)} />}
    </Page>
  )
}

export function EndpointState({ endpoint: { isEnabled, disabledReason } }: { endpoint: Endpoint }) {
  const t = useText('connections')
  if (isEnabled) return <State tone="good">{t.enabled}</State>
  return <State tone={disabledReason === null ? 'mute' : 'bad'}>{t.disabled}</State>
}

/** Why the server has disabled the endpoint. */
export function DisabledReason({ endpoint: { disabledReason } }: { endpoint: Endpoint }) {
  const t = useText('connections')
  if (disabledReason === null) return null
  return (
    <Because>
      {t.disabledReasons[disabledReason]} <span className="font-mono text-xs">{disabledReason}</span>
    </Because>
  )
}
