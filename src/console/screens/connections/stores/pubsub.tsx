import { useState } from 'react'
import { api } from '../../../api/client'
import { ApiFailure } from '../../../api/failure'
import { useAction, useRead } from '../../../api/queries'
import { Button } from '../../../kit/button'
import { Facts } from '../../../kit/card'
import { CopyText } from '../../../kit/copy'
import { Confirm } from '../../../kit/dialog'
import { Skeleton } from '../../../kit/empty'
import { Failure, FormFailure } from '../../../kit/failure'
import { Field, FieldErrors, TextInput } from '../../../kit/field'
import { State } from '../../../kit/state'
import { toast } from '../../../kit/toast'
import { Time } from '../../../kit/values'
import { useProject } from '../../../lib/session'
import { useText } from '../../../text/catalogue'
import { useRights } from '../shared/rights'
import { useCredentialsRefusal } from './refusal'
import { Step } from './step'

const PATH = '/dashboard/projects/{projectId}/apps/android/pubsub'
type Verb = 'connect' | 'recreate' | 'rotate' | 'test'

/** The way by which Google Play sends its notifications here. */
export function PubSub() {
  const t = useText('connections')
  const { path } = useProject()
  const read = useRead(PATH, { params: { path } }, { every: 15_000 })
  const [topic, setTopic] = useState('')
  const [isEnding, setEnding] = useState(false)
  const reason = useRights().needsRole('ADMIN')
  const act = useAction({
    run: (verb: Verb) =>
      verb === 'connect'
        ? api.post(`${PATH}/connect`, {
            params: { path },
            body: topic.trim() === '' ? {} : { existingTopic: topic.trim() },
          })
        : api.post(`${PATH}/${verb}`, { params: { path }, body: {} }),
    refreshes: [PATH],
    onDone: (_, verb) => toast(t.pubsubDone[verb]),
  })
  const error = useCredentialsRefusal(act.error)
  const connection = read.data
  const verbs: readonly Verb[] = connection?.status === 'DISCONNECTED' ? ['connect'] : ['test', 'rotate', 'recreate']
  return (
    <Step
      number={2}
      title={t.pubsub}
      isDone={connection?.status === 'CONNECTED'}
      aside={
        connection && (
          <>
            {connection.status !== 'DISCONNECTED' && (
              <Button onClick={() => setEnding(true)} reason={reason}>
                {t.disconnect}
              </Button>
            )}
            {verbs.map((verb) => (
              <Button
                key={verb}
                variant={verb === 'connect' || connection.status === 'BROKEN' ? 'primary' : 'plain'}
                onClick={() => act.submit(verb)}
                busy={act.busy}
                reason={reason}
              >
                {t.pubsubVerbs[verb]}
              </Button>
            ))}
          </>
        )
      }
    >
      <FormFailure error={error} />
      {read.error && !connection && <Failure error={read.error} onRetry={() => void read.refetch()} />}
      {!connection && !read.error && <Skeleton lines={4} />}
      {connection && (
        <>
          <State tone={{ DISCONNECTED: 'mute', CONNECTED: 'good', BROKEN: 'bad' }[connection.status] as 'good'}>
            {t.pubsubStates[connection.status]}
          </State>
          {connection.status === 'DISCONNECTED' ? (
            <FieldErrors.Provider value={error instanceof ApiFailure ? error.fields : {}}>
              <Field label={t.existingTopic} name="existingTopic" isOptional hint={t.existingTopicHint}>
                <TextInput value={topic} onChange={({ target }) => setTopic(target.value)} className="font-mono" />
              </Field>
            </FieldErrors.Provider>
          ) : (
            <p className="text-ink-2">{t.pubsubHint}</p>
          )}
          <Facts
            items={[
              [t.topic, connection.topic && <CopyText key="t" text={connection.topic} />],
              [t.subscription, connection.subscription && <CopyText key="s" text={connection.subscription} />],
              [
                t.endpoint,
                connection.endpoint === null ? t.noPublicUrl : <CopyText key="e" text={connection.endpoint} />,
              ],
              [t.serviceAccount, connection.serviceAccount && <CopyText key="a" text={connection.serviceAccount} />],
              [t.lastNotification, connection.lastMessageAt && <Time key="l" at={connection.lastMessageAt} />],
            ]}
          />
        </>
      )}
      {isEnding && <Disconnect onClose={() => setEnding(false)} />}
    </Step>
  )
}

function Disconnect({ onClose }: { onClose: () => void }) {
  const t = useText('connections')
  const { path } = useProject()
  const end = useAction({
    run: () => api.delete(PATH, { params: { path } }),
    refreshes: [PATH],
    onDone: onClose,
  })
  return (
    <Confirm
      title={t.disconnect}
      action={t.disconnect}
      onConfirm={() => end.submit(undefined)}
      onClose={onClose}
      busy={end.busy}
      error={end.error}
    >
      <p>{t.disconnectPubsubHint}</p>
    </Confirm>
  )
}
