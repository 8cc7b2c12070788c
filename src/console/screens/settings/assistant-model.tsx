import { useRead } from '../../api/queries'
import { LinkButton } from '../../kit/button'
import { Card, Facts, Stack } from '../../kit/card'
import { Empty, Skeleton } from '../../kit/empty'
import { Failure } from '../../kit/failure'
import { Page } from '../../kit/page'
import { formatNumber } from '../../lib/format'
import { useProject, useReading } from '../../lib/session'
import { AssistantCredentials } from '../../parts/assistant/credentials'
import { useText } from '../../text/catalogue'

/** The model of the assistant, what it may see, and what was used this month. */
export default function AssistantModel() {
  const t = useText('assistant')
  const c = useText('common')
  const { project, base, hasRole } = useProject()
  const isOff = project.settings.assistant === 'off'
  return (
    <Page
      title={t.modelScreen}
      crumbs={[[c.assistant, `${base}/settings/assistant`]]}
      purpose={t.modelPurpose}
      actions={<LinkButton href={`${base}/settings`}>{t.whatItMay}</LinkButton>}
    >
      {isOff ? (
        <Card>
          <Empty title={t.isOff}>{t.isOffHint}</Empty>
        </Card>
      ) : (
        <Stack>
          <Card title={t.modelTitle}>
            <div className="max-w-xl">
              {hasRole('OWNER') ? <AssistantCredentials /> : <p className="text-sm text-ink-2">{t.ownersSet}</p>}
            </div>
          </Card>
          <Card title={t.monthTitle}>
            <Used />
          </Card>
        </Stack>
      )}
    </Page>
  )
}

const METERS = ['messages', 'inputTokens', 'outputTokens'] as const

function Used() {
  const t = useText('assistant')
  const reading = useReading()
  const { path } = useProject()
  const usage = useRead('/dashboard/projects/{projectId}/assistant/usage', { params: { path } })
  const { data, error } = usage
  if (!data) return error ? <Failure error={error} onRetry={() => void usage.refetch()} /> : <Skeleton lines={3} />
  const items = METERS.map((name) => {
    const { used, limit } = data[name]
    const [usedText, limitText] = [formatNumber(reading, used), limit === null ? null : formatNumber(reading, limit)]
    return [t.meters[name], limitText === null ? usedText : t.usedOf(usedText, limitText)] as const
  })
  return <Facts items={items} />
}
