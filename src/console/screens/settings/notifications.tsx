import { api } from '../../api/client'
import { useAction, useRead } from '../../api/queries'
import type { Schemas } from '../../api/schemas'
import { Card } from '../../kit/card'
import { Skeleton } from '../../kit/empty'
import { Failure, FormFailure } from '../../kit/failure'
import { Page } from '../../kit/page'
import { toast } from '../../kit/toast'
import { roleFor, useProject } from '../../lib/session'
import { kindChange, NoticeMatrix } from '../../parts/notice-matrix'
import { useText } from '../../text/catalogue'

const PATH = '/dashboard/projects/{projectId}/notification-defaults'

/** The notices that members get, unless they chose otherwise for themselves. */
export default function Notifications() {
  const t = useText('settings')
  const c = useText('common')
  const { path, can } = useProject()
  const read = useRead(PATH, { params: { path } })
  const reason = can('project:settings:write') ? null : c.roleNeeded(roleFor('project:settings:write'))
  return (
    <Page title={c.notifications} purpose={t.notificationsPurpose}>
      {reason !== null && <p className="text-sm text-ink-2">{reason}</p>}
      <Card flush title={t.notificationsTitle} footer={t.notificationsFoot}>
        {read.data && <Defaults defaults={read.data} isReadOnly={reason !== null} />}
        {!read.data && (
          <div className="px-4">
            {read.error ? <Failure error={read.error} onRetry={() => void read.refetch()} /> : <Skeleton />}
          </div>
        )}
      </Card>
    </Page>
  )
}

interface DefaultsProps {
  defaults: Schemas['NotificationDefaults']
  isReadOnly: boolean
}

function Defaults({ defaults, isReadOnly }: DefaultsProps) {
  const c = useText('common')
  const { path } = useProject()
  const { revision, kinds } = defaults
  const action = useAction({
    run: (body: object) =>
      api.patch(PATH, { params: { path, header: { 'If-Match': `"${revision}"` } }, body: body as never }),
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
        values={defaults}
        disabled={isReadOnly}
        onChannel={(channel, isOn) => action.submit({ channels: { [channel]: isOn } })}
        onKind={(kind, channel, isOn) => action.submit(kindChange(kinds, kind, channel, isOn))}
      />
    </>
  )
}
