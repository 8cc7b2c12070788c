import { useParams as useRouteParams } from 'wouter'
import { useRead } from '../../../api/queries'
import { Card, Columns, Facts, Stack } from '../../../kit/card'
import { CopyText, Id } from '../../../kit/copy'
import { Skeleton } from '../../../kit/empty'
import { Failure } from '../../../kit/failure'
import { Page } from '../../../kit/page'
import { ProjectFilePart } from '../../../kit/project-file'
import { Share, Time } from '../../../kit/values'
import { useProject } from '../../../lib/session'
import { useText } from '../../../text/catalogue'
import { DeliveryTable } from '../deliveries/delivery-table'
import { EndpointActions } from './endpoint-actions'
import { DisabledReason, EndpointState } from './endpoints'
import type { Endpoint as EndpointView } from './model'
import { VerifyHelp } from './verify-help'

export default function Endpoint() {
  const common = useText('common')
  const { id } = useRouteParams<{ id: string }>()
  const { path, base } = useProject()
  const read = useRead(
    '/dashboard/projects/{projectId}/webhook-endpoints/{id}',
    { params: { path: { ...path, id } } },
    { every: 15_000 },
  )
  const crumbs = [[common.webhooks, `${base}/connections/webhooks`]] as const
  const endpoint = read.data
  return (
    <Page
      title={endpoint?.name ?? common.webhooks}
      crumbs={crumbs}
      beside={endpoint && <EndpointState endpoint={endpoint} />}
      purpose={endpoint && <CopyText text={endpoint.url} className="max-w-full" />}
      actions={endpoint && <EndpointActions endpoint={endpoint} />}
    >
      {read.error && !endpoint && <Failure error={read.error} onRetry={() => void read.refetch()} />}
      {!endpoint && !read.error && <Skeleton />}
      {endpoint && <Body endpoint={endpoint} />}
    </Page>
  )
}

function Body({ endpoint }: { endpoint: EndpointView }) {
  const t = useText('connections')
  const common = useText('common')
  const { previousValidUntil } = endpoint
  const previousSecret =
    previousValidUntil === null ? [] : [[t.previousUntil, <Time key="p" at={previousValidUntil} absolute />] as const]
  return (
    <Stack>
      <DisabledReason endpoint={endpoint} />
      <Columns
        main={
          <Card title={common.deliveries} flush>
            <DeliveryTable filter={{ endpointId: endpoint.id }} hidesEndpoint />
          </Card>
        }
        side={
          <>
            <Card title={common.settings}>
              <Facts
                items={[
                  [common.id, <Id key="id" id={endpoint.id} />],
                  [
                    t.eventTypes,
                    <span key="t" title={endpoint.eventTypes.join(', ')} className="font-mono text-xs">
                      {endpoint.eventTypes.join(', ')}
                    </span>,
                  ],
                  [
                    t.environments,
                    endpoint.environments
                      .map((one) => (one === 'SANDBOX' ? common.sandbox : common.production))
                      .join(', '),
                  ],
                  [t.format, endpoint.format === 'standard' ? 'Standard Webhooks' : 'RevenueCat'],
                  [t.ordered, endpoint.ordered ? common.yes : common.no],
                  [
                    t.signingSecret,
                    <span key="s" className="font-mono text-xs">
                      …{endpoint.secretLast4}
                    </span>,
                  ],
                  ...previousSecret,
                  [t.success24h, <Share key="r" value={endpoint.successRate24h} />],
                  [common.updatedAt, <Time key="u" at={endpoint.updatedAt} />],
                ]}
              />
            </Card>
            <VerifyHelp endpoint={endpoint} />
            <ProjectFilePart kind="webhookEndpoint" identifier={endpoint.name} revision={endpoint.revision} />
          </>
        }
      />
    </Stack>
  )
}
