import { api } from '../../api/client'
import { useAction, useRead } from '../../api/queries'
import type { Schemas } from '../../api/schemas'
import { Button } from '../../kit/button'
import { Card } from '../../kit/card'
import { Skeleton } from '../../kit/empty'
import { Failure, FormFailure } from '../../kit/failure'
import { Page } from '../../kit/page'
import { toast } from '../../kit/toast'
import { useFailureToast } from '../../kit/use-failure-toast'
import { kindChange, NoticeMatrix } from '../../parts/notice-matrix'
import { useText } from '../../text/catalogue'

const PATH = '/dashboard/notifications/preferences'

/** The notices that the signed-in person gets, and how. */
export default function Notifications() {
  const failed = useFailureToast()
  const t = useText('account')
  const c = useText('common')
  const read = useRead(PATH, {})
  const test = useAction({
    run: () => api.post('/dashboard/notifications/test', { body: {} }),
    refreshes: ['/dashboard/notifications'],
    onDone: ({ inapp, email }) => toast(t.testSent[inapp ? (email ? 'both' : 'inapp') : email ? 'email' : 'none']),
    onFailure: failed,
  })
  return (
    <Page
      title={c.notifications}
      purpose={t.notificationsPurpose}
      actions={
        <Button busy={test.busy} onClick={() => test.submit(undefined)}>
          {t.sendTest}
        </Button>
      }
    >
      <Card flush title={t.whatGoesWhere}>
        {read.data && <Own preferences={read.data} />}
        {!read.data && (
          <div className="px-4">
            {read.error ? <Failure error={read.error} onRetry={() => void read.refetch()} /> : <Skeleton />}
          </div>
        )}
      </Card>
    </Page>
  )
}

function Own({ preferences }: { preferences: Schemas['NotificationPreferences'] }) {
  const c = useText('common')
  const action = useAction({
    run: (body: object) => api.patch(PATH, { body: body as never }),
    refreshes: [PATH],
    onDone: () => toast(c.savedName(c.notifications)),
  })
  return (
    <>
      {action.error && (
        <div className="p-4">
          <FormFailure error={action.error} />
        </div>
      )}
      <NoticeMatrix
        values={preferences}
        disabled={false}
        onChannel={(channel, isOn) => action.submit({ channels: { [channel]: isOn } })}
        onKind={(kind, channel, isOn) => action.submit(kindChange(preferences.kinds, kind, channel, isOn))}
      />
    </>
  )
}
