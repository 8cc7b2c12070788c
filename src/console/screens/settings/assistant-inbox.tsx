import { useIntentOf, useIntentPages } from '../../api/intents'
import type { Listing } from '../../api/queries'
import { Button, LinkButton } from '../../kit/button'
import { Card } from '../../kit/card'
import { Empty, Skeleton } from '../../kit/empty'
import { Failure } from '../../kit/failure'
import { Page } from '../../kit/page'
import { Segmented } from '../../kit/tabs'
import { now } from '../../lib/clock'
import { formatNumber } from '../../lib/format'
import { type Intent, statusAt } from '../../lib/intent'
import { useProject, useReading } from '../../lib/session'
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
  const reading = useReading()
  const isOn = project.settings.assistant !== 'off'
  const [params, set] = useParams()
  const shown = SHOWN.find((one) => one === params.get('show')) ?? 'all'
  const waiting = useIntentPages(path, { enabled: isOn, waiting: true })
  const every = useIntentPages(path, { enabled: isOn && shown !== 'waiting' })
  const list = shown === 'waiting' ? waiting : every
  const listed = inOrder(list.items, shown)
  const wanted = params.get('intent')
  const inList = listed.find(({ id }) => id === wanted)
  const apart = useIntentOf(path, isOn && !inList ? wanted : null)
  const chosen = inList ?? apart.data ?? (wanted === null || apart.error ? listed[0] : undefined)
  const count = `${formatNumber(reading, waiting.items.filter(isWaiting).length)}${waiting.hasMore ? '+' : ''}`
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
          options={SHOWN.map((one) => [one, one === 'waiting' ? t.waitingCount(count) : t.shown[one]] as const)}
        />
      }
    >
      {list.isLoading || (list.error && listed.length === 0) ? (
        <Card>{list.error ? <Failure error={list.error} onRetry={list.retry} /> : <Skeleton lines={6} />}</Card>
      ) : (
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 xl:grid-cols-[minmax(0,1fr)_400px]">
          <Card flush footer={<Foot list={list} />}>
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
      )}
    </Page>
  )
}

function Foot({ list }: { list: Listing<unknown> }) {
  const t = useText('intents')
  const c = useText('common')
  return (
    <span className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      {t.endsBySelf}
      {list.hasMore && (
        <Button onClick={list.showMore} busy={list.isFetchingMore}>
          {c.showMore}
        </Button>
      )}
    </span>
  )
}

const isWaiting = (intent: Intent): boolean => statusAt(intent, now()) === 'PENDING'

function inOrder(intents: readonly Intent[], shown: (typeof SHOWN)[number]): readonly Intent[] {
  const done = intents.filter((intent) => !isWaiting(intent))
  if (shown === 'done') return done
  const waiting = intents.filter(isWaiting)
  return shown === 'waiting' ? waiting : [...waiting, ...done]
}
