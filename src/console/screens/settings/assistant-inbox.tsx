import { useIntents } from '../../api/intents'
import { LinkButton } from '../../kit/button'
import { Card } from '../../kit/card'
import { Empty, Skeleton } from '../../kit/empty'
import { Failure } from '../../kit/failure'
import { Page } from '../../kit/page'
import { Segmented } from '../../kit/tabs'
import { now } from '../../lib/clock'
import { type Intent, statusAt } from '../../lib/intent'
import { useProject } from '../../lib/session'
import { useParams } from '../../lib/url-state'
import { IntentCard } from '../../parts/assistant/intent-card'
import { IntentLine } from '../../parts/assistant/intent-line'
import { useText } from '../../text/catalogue'

const SHOWN = ['waiting', 'done', 'all'] as const

/** The changes that the assistant and agents have prepared: what waits first, then what was decided. */
export default function AssistantInbox() {
  const t = useText('intents')
  const c = useText('common')
  const { path, base, project } = useProject()
  const isOff = project.settings.assistant === 'off'
  const found = useIntents(path, { enabled: !isOff })
  const [params, set] = useParams()
  const shown = SHOWN.find((one) => one === params.get('show')) ?? 'all'
  const { waiting, done } = grouped(found.data ?? [])
  const listed = { waiting, done, all: [...waiting, ...done] }[shown]
  const chosen = listed.find(({ id }) => id === params.get('intent')) ?? listed[0]
  return (
    <Page
      title={t.inbox}
      crumbs={[[c.settings, `${base}/settings`]]}
      purpose={t.inboxPurpose}
      actions={<LinkButton href={`${base}/settings/assistant/model`}>{t.keysAndLimits}</LinkButton>}
      search={
        <Segmented
          label={t.inbox}
          value={shown}
          onChange={(next) => set({ show: next === 'all' ? null : next, intent: null })}
          options={SHOWN.map(
            (one) => [one, one === 'waiting' ? t.waitingCount(waiting.length) : t.shown[one]] as const,
          )}
        />
      }
    >
      {found.data || isOff ? (
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 xl:grid-cols-[minmax(0,1fr)_400px]">
          <Card flush footer={t.endsBySelf}>
            {listed.length === 0 ? (
              <Empty title={t.nothingWaits}>{t.nothingWaitsHint}</Empty>
            ) : (
              <ul aria-label={t.inbox} className="divide-y divide-line">
                {listed.map((intent) => (
                  <IntentLine
                    key={intent.id}
                    intent={intent}
                    isChosen={intent.id === chosen?.id}
                    onChoose={() => set({ intent: intent.id })}
                  />
                ))}
              </ul>
            )}
          </Card>
          {chosen && <IntentCard key={chosen.id} intent={chosen} onRevised={({ id }) => set({ intent: id })} />}
        </div>
      ) : (
        <Card>
          {found.error ? <Failure error={found.error} onRetry={() => void found.refetch()} /> : <Skeleton lines={6} />}
        </Card>
      )}
    </Page>
  )
}

function grouped(intents: readonly Intent[]): Record<'waiting' | 'done', readonly Intent[]> {
  const isWaiting = (intent: Intent) => statusAt(intent, now()) === 'PENDING'
  return { waiting: intents.filter(isWaiting), done: intents.filter((intent) => !isWaiting(intent)) }
}
