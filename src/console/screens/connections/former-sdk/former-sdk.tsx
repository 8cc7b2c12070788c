import { useRead } from '../../../api/queries'
import { Button } from '../../../kit/button'
import { Columns, Stack } from '../../../kit/card'
import { Skeleton } from '../../../kit/empty'
import { Failure } from '../../../kit/failure'
import { Page } from '../../../kit/page'
import { State } from '../../../kit/state'
import { useProject } from '../../../lib/session'
import { useParam } from '../../../lib/url-state'
import { useText } from '../../../text/catalogue'
import { useRights } from '../shared/rights'
import { DoorSettings } from './door-settings'
import { PATH, type Settings } from './model'
import { MoveOrder, ProxyLines } from './move'
import { OldKeys } from './old-keys'
import { Seen } from './seen'
import { CloseDoor, OpenDoor, TestStoreWarning } from './switch'

export default function FormerSdk() {
  const t = useText('moving')
  const common = useText('common')
  const { path } = useProject()
  const [doing, setDoing] = useParam('do')
  const reason = useRights().needsRole('ADMIN')
  const { data: settings, error, refetch } = useRead(PATH, { params: { path } })
  const next = settings?.enabled ? 'close' : 'open'
  return (
    <Page
      title={common.formerSdk}
      purpose={t.formerSdkPurpose}
      beside={settings && <Answered settings={settings} />}
      actions={
        settings && (
          <Button
            variant={settings.enabled ? 'plain' : 'primary'}
            onClick={() => setDoing(next, { push: true })}
            reason={reason}
          >
            {settings.enabled ? t.stopAnswering : t.startAnswering}
          </Button>
        )
      }
    >
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {!settings && !error && <Skeleton lines={8} />}
      {settings && (
        <Columns
          main={settings.enabled ? <Opened settings={settings} reason={reason} /> : <MoveOrder />}
          side={
            <Stack>
              <OldKeys settings={settings} reason={reason} />
              <DoorSettings settings={settings} reason={reason} />
              {settings.enabled && <ProxyLines />}
            </Stack>
          }
        />
      )}
      {settings && doing === 'open' && <OpenDoor settings={settings} reason={reason} onClose={() => setDoing(null)} />}
      {settings && doing === 'close' && (
        <CloseDoor settings={settings} reason={reason} onClose={() => setDoing(null)} />
      )}
    </Page>
  )
}

interface OpenedProps {
  settings: Settings
  reason: string | null
}

const Opened = ({ settings, reason }: OpenedProps) => (
  <Stack>
    {settings.testStore && <TestStoreWarning settings={settings} reason={reason} />}
    <Seen isCounted={settings.logCalls} />
  </Stack>
)

function Answered({ settings: { enabled } }: { settings: Settings }) {
  const t = useText('moving')
  return <State tone={enabled ? 'good' : 'mute'}>{enabled ? t.appsAnswered : t.appsNotAnswered}</State>
}
