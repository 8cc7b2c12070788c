import { Chip, Dot } from '../../kit/state'
import { Time } from '../../kit/values'
import { cx } from '../../lib/class-names'
import { now } from '../../lib/clock'
import { type Intent, minutesLeft, statusAt } from '../../lib/intent'
import { useText } from '../../text/catalogue'
import { INTENT_TONES } from './intent-card'
import { useShortEffects } from './intent-facts'
import { useWho } from './use-who'

interface LineProps {
  intent: Intent
  isChosen: boolean
  onChoose: () => void
}

/** One change in the list: what, by whom and through what, effect, state. */
export function IntentLine({ intent, isChosen, onChoose }: LineProps) {
  const t = useText('intents')
  const effects = useShortEffects()
  const status = statusAt(intent, now())
  return (
    <li>
      <button
        type="button"
        aria-pressed={isChosen}
        onClick={onChoose}
        className={cx(
          'grid w-full grid-cols-[auto_minmax(0,1fr)_auto] items-baseline gap-x-3 gap-y-0.5 px-4 py-2.5 text-left text-sm -outline-offset-2',
          isChosen ? 'bg-accent-soft' : 'hover:bg-hover',
        )}
      >
        <Dot tone={INTENT_TONES[status]} />
        <span className="truncate font-medium">{intent.summary}</span>
        <span
          className={cx(
            'justify-self-end text-xs whitespace-nowrap',
            status === 'PENDING' ? 'text-warn' : 'text-ink-2',
          )}
        >
          <StateWords intent={intent} />
        </span>
        <span className="col-start-2 truncate text-xs text-ink-2">
          <Proposer intent={intent} />
        </span>
        <span className="inline-flex items-center gap-2 justify-self-end text-xs text-ink-2">
          {effects(intent)} {intent.risk === 'high' && <Chip tone="bad">{t.highRisk}</Chip>}
        </span>
        {intent.via.note !== null && (
          <span className="col-span-2 col-start-2 truncate text-xs text-ink-2">“{intent.via.note}”</span>
        )}
      </button>
    </li>
  )
}

function StateWords({ intent }: { intent: Intent }) {
  const t = useText('intents')
  const who = useWho()
  const status = statusAt(intent, now())
  if (status === 'PENDING') return <>{t.minutesLeft(minutesLeft(intent, now()))}</>
  const name = who(intent.decidedBy)
  return (
    <>
      {t.states[status]} {name !== null && <bdi>{name}</bdi>}{' '}
      {intent.decidedAt !== null && <Time at={intent.decidedAt} />}
    </>
  )
}

/** By whom it was prepared, and through what. */
function Proposer({ intent: { proposedBy, via } }: { intent: Intent }) {
  const t = useText('intents')
  const name = useWho()(proposedBy) ?? ''
  if (via.kind === 'CHAT') return <>{t.inChat(name)}</>
  if (via.kind === 'CONSOLE') return <>{t.byHand(name)}</>
  return <>{via.kind === 'CLI' ? t.byCommand : t.byAgent(name, via.token)}</>
}
