import { useEffect, useRef } from 'react'
import { unmasked } from '../../../core/text/marks'
import { ApiFailure } from '../../api/failure'
import type { Schemas } from '../../api/schemas'
import { Button } from '../../kit/button'
import { Skeleton } from '../../kit/empty'
import { Failure } from '../../kit/failure'
import { withoutHalfMark } from '../../lib/marks'
import { IntentCard } from '../../parts/assistant/intent-card'
import { useText } from '../../text/catalogue'
import { Composer } from './composer'
import { Answer, LiveState, Question } from './live'
import type { LiveAnswer } from './live-answer'
import { NoModel, useNoModel } from './no-model'
import { type Conversation as OneConversation, useConversation } from './use-conversation'

interface ConversationProps {
  threadId: string | null
  onThread: (id: string) => void
}

/** Questions and answers of one thread, and the field for the next question. */
export function Conversation({ threadId, onThread }: ConversationProps) {
  const isMissing = useNoModel()
  const conversation = useConversation(threadId, onThread)
  const { live } = conversation
  const hasNoModel = isMissing || codeOf(live?.error ?? null) === 'ASSISTANT_NOT_CONFIGURED'
  if (hasNoModel) return <NoModel />
  return (
    <>
      <Log conversation={conversation} />
      <Composer isAnswering={conversation.isAnswering} onAsk={conversation.ask} onStop={conversation.stop} />
    </>
  )
}

const codeOf = (error: Error | null): string | null => (error instanceof ApiFailure ? error.code : null)

function Log({ conversation }: { conversation: OneConversation }) {
  const t = useText('assistant')
  const { messages, marks, live, intents, isLoading, error, isAnswering } = conversation
  const box = useBottom(`${messages.length} ${intents.length} ${live?.text.length ?? 0} ${live?.tools.length ?? 0}`)
  const isEmpty = messages.length + intents.length === 0 && !live && !isLoading && !error
  const last = messages.at(-1)
  return (
    <div
      ref={box}
      role="log"
      aria-label={t.log}
      aria-busy={isLoading || undefined}
      tabIndex={0}
      className="grid min-h-0 flex-1 grid-cols-[minmax(0,1fr)] content-start gap-3 overflow-y-auto p-4 text-sm -outline-offset-2"
    >
      {isLoading && <Skeleton lines={4} />}
      {error && <Failure error={error} />}
      {isEmpty && <Examples onAsk={conversation.ask} />}
      {[
        ...messages.map((message) =>
          message.role === 'USER' ? (
            <Question key={message.id} text={unmasked(message.content, marks)} />
          ) : (
            <Answer key={message.id} {...partsOf(message)} marks={marks}>
              <State status={message.status} />
              {message === last && !live && isBroken(message) && <AskAgain onClick={conversation.again} />}
            </Answer>
          ),
        ),
        live && live.question !== null && <Question key="question" text={live.question} />,
        // The same key as in the thread: a click and what is open outlast the moment in which the answer is finished.
        live && (
          <Answer key={live.messageId ?? 'answer'} {...livePartsOf(live)} marks={marks}>
            <LiveState live={live} isEmpty={livePartsOf(live).text === ''} onAgain={conversation.again} />
          </Answer>
        ),
      ]}
      {intents.map((intent) => (
        <IntentCard key={intent.id} intent={intent} />
      ))}
      {!live && isAnswering && <p className="text-ink-2">{t.working}</p>}
    </div>
  )
}

const isBroken = ({ status }: Schemas['AssistantMessage']): boolean => status === 'FAILED' || status === 'INTERRUPTED'

const NEAR_PX = 80

/** Keeps the end in sight while text comes, unless the person has scrolled up. */
function useBottom(content: string) {
  const box = useRef<HTMLDivElement>(null)
  const isNear = useRef(true)
  useEffect(() => {
    const element = box.current
    if (!element) return
    const look = () => {
      isNear.current = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_PX
    }
    element.addEventListener('scroll', look, { passive: true })
    return () => element.removeEventListener('scroll', look)
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is shown decides when to scroll.
  useEffect(() => {
    if (isNear.current) box.current?.scrollTo({ top: box.current.scrollHeight })
  }, [content])
  return box
}

function Examples({ onAsk }: { onAsk: (question: string) => void }) {
  const t = useText('assistant')
  return (
    <div className="grid justify-items-start gap-2 pt-2">
      <p className="text-md font-medium">{t.emptyTitle}</p>
      <p className="text-ink-2">{t.emptyHint}</p>
      {t.examples.map((example) => (
        <button
          key={example}
          type="button"
          onClick={() => onAsk(example)}
          className="min-h-9 rounded-control border border-line-2 bg-surface px-3 py-1.5 text-left hover:bg-hover max-md:min-h-11"
        >
          {example}
        </button>
      ))}
    </div>
  )
}

const partsOf = ({ id, tools, content }: Schemas['AssistantMessage']) => ({ messageId: id, tools, text: content })

const livePartsOf = ({ messageId, tools, text, isDone }: LiveAnswer) => ({
  ...{ messageId: messageId ?? '', tools },
  text: isDone ? text : withoutHalfMark(text),
})

/** What became of an answer that is not whole. */
function State({ status }: { status: Schemas['AssistantMessage']['status'] }) {
  const t = useText('assistant')
  const words = { DONE: null, RUNNING: null, STOPPED: t.stopped, FAILED: t.brokeOff, INTERRUPTED: t.interrupted }
  return words[status] === null ? null : <p className="text-xs text-ink-2">{words[status]}</p>
}

function AskAgain({ onClick }: { onClick: () => void }) {
  const t = useText('assistant')
  return (
    <div>
      <Button onClick={onClick}>{t.askAgain}</Button>
    </div>
  )
}
