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
import { State } from '../../../kit/state'
import { toast } from '../../../kit/toast'
import { useProject } from '../../../lib/session'
import { useText } from '../../../text/catalogue'
import { useRights } from '../shared/rights'
import { Step } from './step'

const PATH = '/dashboard/projects/{projectId}/apps/ios/notification-url'

/** The address to which the App Store sends its notifications, and whether it is ours. */
export function IosUrls({ hasKey }: { hasKey: boolean }) {
  const t = useText('connections')
  const { path } = useProject()
  const read = useRead(PATH, { params: { path } }, { enabled: hasKey })
  const urls = read.data
  const isDone = urls?.production.matches === true && urls.sandbox.matches
  return (
    <Step
      number={2}
      title={t.notificationUrl}
      isDone={isDone}
      aside={urls && <SetUrl isDone={isDone} url={urls.url} />}
    >
      {!hasKey && <p className="text-ink-2">{t.storeConnectNeeded}</p>}
      {hasKey && read.error && !urls && <Failure error={read.error} onRetry={() => void read.refetch()} />}
      {hasKey && !urls && !read.error && <Skeleton lines={3} />}
      {urls && (
        <>
          <Facts items={[[t.ourUrl, urls.url === null ? t.noPublicUrl : <CopyText key="u" text={urls.url} />]]} />
          <Facts
            items={(['production', 'sandbox'] as const).map((one) => [
              <SavedState key={one} name={one} matches={urls[one].matches} current={urls[one].current} />,
              urls[one].current === null ? null : <CopyText key="c" text={urls[one].current ?? ''} />,
            ])}
          />
        </>
      )}
    </Step>
  )
}

interface SavedStateProps {
  name: 'production' | 'sandbox'
  matches: boolean
  current: string | null
}

function SavedState({ name, matches, current }: SavedStateProps) {
  const t = useText('connections')
  const common = useText('common')
  const tone = matches ? 'good' : current === null ? 'warn' : 'bad'
  return (
    <State tone={tone}>
      {common[name]}: {matches ? t.urlIsOurs : current === null ? t.urlIsMissing : t.urlIsOther}
    </State>
  )
}

/** Sets the address; another one is replaced only after it was shown. */
function SetUrl({ isDone, url }: { isDone: boolean; url: string | null }) {
  const t = useText('connections')
  const { path } = useProject()
  const [other, setOther] = useState<string | null>(null)
  const reason = useRights().needsRole('ADMIN')
  const set = useAction({
    run: (replaceExisting: boolean) =>
      api.post(PATH, { params: { path }, body: { environment: 'both', replaceExisting } }),
    refreshes: [PATH],
    onDone: () => {
      setOther(null)
      toast(t.urlSet)
    },
    onFailure: (error) => {
      if (error instanceof ApiFailure && error.code === 'STORE_NOTIFICATION_URL_IN_USE')
        setOther(String(error.details.current ?? ''))
    },
  })
  return (
    <>
      {other === null && <FormFailure error={set.error} />}
      <Button
        variant={isDone ? 'plain' : 'primary'}
        onClick={() => set.submit(false)}
        busy={set.busy}
        reason={reason ?? (url === null ? t.noPublicUrl : null)}
      >
        {t.setUrl}
      </Button>
      {other !== null && (
        <Confirm
          title={t.replaceUrl}
          action={t.replaceUrl}
          onConfirm={() => set.submit(true)}
          onClose={() => setOther(null)}
          busy={set.busy}
        >
          <p>{t.replaceUrlHint}</p>
          <Facts
            items={[
              [t.urlIsOther, other],
              [t.ourUrl, url],
            ]}
          />
        </Confirm>
      )}
    </>
  )
}
