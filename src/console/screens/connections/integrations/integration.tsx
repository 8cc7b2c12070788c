import { useParams as useRouteParams } from 'wouter'
import { useRead } from '../../../api/queries'
import { Card, Columns, Facts, Stack } from '../../../kit/card'
import { CopyText, Id } from '../../../kit/copy'
import { Skeleton } from '../../../kit/empty'
import { Failure } from '../../../kit/failure'
import { Because } from '../../../kit/mark'
import { Page } from '../../../kit/page'
import { Time } from '../../../kit/values'
import { useProject } from '../../../lib/session'
import { Missing } from '../../../shell/missing'
import { useText } from '../../../text/catalogue'
import { useReason } from '../deliveries/use-reason'
import { IntegrationActions } from './actions'
import { IntegrationDeliveries } from './deliveries'
import { PATH, type Integration as View } from './draft'
import { useMemberLabel } from './fields'
import { IntegrationState } from './integrations'
import { titleOf } from './providers'

/** The server writes the cause behind it, which the state above it shows already. */
const DISABLED = /^disabled: /

export default function Integration() {
  const common = useText('common')
  const { id } = useRouteParams<{ id: string }>()
  const { path, base } = useProject()
  const wordsOf = useReason()
  const read = useRead(PATH, { params: { path, query: { limit: 200 } } }, { every: 15_000 })
  const one = read.data?.items.find((other) => other.id === id)
  if (read.data && !one) return <Missing />
  return (
    <Page
      title={one ? titleOf(one.provider) : common.integrations}
      crumbs={[[common.integrations, `${base}/connections/integrations`]]}
      beside={one && <IntegrationState integration={one} />}
      actions={one && <IntegrationActions integration={one} />}
    >
      {read.error && !one && <Failure error={read.error} onRetry={() => void read.refetch()} />}
      {!one && !read.error && <Skeleton />}
      {one && (
        <Stack>
          {one.lastError !== null && (
            <Because>{wordsOf(DISABLED.test(one.lastError) ? 'disabled' : one.lastError)}</Because>
          )}
          <Columns main={<IntegrationDeliveries id={one.id} />} side={<IntegrationFacts integration={one} />} />
        </Stack>
      )}
    </Page>
  )
}

function IntegrationFacts({ integration }: { integration: View }) {
  const t = useText('connections')
  const common = useText('common')
  const labelOf = useMemberLabel()
  const { id, hint, settings, enabledEvents, eventMapping, includeSandbox, lastSuccessAt, updatedAt } = integration
  const types = enabledEvents.join(', ')
  return (
    <Card title={common.settings}>
      <Facts
        items={[
          [common.id, <Id key="id" id={id} />],
          [
            t.credential,
            <span key="h" className="font-mono text-xs">
              {hint}
            </span>,
          ],
          ...textsIn(settings).map(([name, value]) => [labelOf(name), <CopyText key={name} text={value} />] as const),
          [
            t.eventTypes,
            <span key="t" title={types} className="font-mono text-xs">
              {types}
            </span>,
          ],
          ...Object.entries(eventMapping).map(
            ([type, name]) =>
              [
                <span key={type} className="font-mono text-xs">
                  {type}
                </span>,
                name,
              ] as const,
          ),
          [t.includeSandbox, includeSandbox ? common.yes : common.no],
          [t.lastSuccess, <Time key="l" at={lastSuccessAt} />],
          [common.updatedAt, <Time key="u" at={updatedAt} />],
        ]}
      />
    </Card>
  )
}

/** The settings of one line; lists of events are in the form. */
const textsIn = (settings: View['settings']): [name: string, value: string][] =>
  Object.entries(settings).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
