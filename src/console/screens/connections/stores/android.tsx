import { Button } from '../../../kit/button'
import { Facts } from '../../../kit/card'
import { CopyText } from '../../../kit/copy'
import { useProject } from '../../../lib/session'
import { useParam } from '../../../lib/url-state'
import { useText } from '../../../text/catalogue'
import { useRights } from '../shared/rights'
import { AndroidForm } from './android-form'
import { Guide } from './ios'
import type { Credentials } from './model'
import { PubSub } from './pubsub'
import { Step } from './step'

/** The service account and the notifications of Google Play. */
export function Android({ credentials: { android } }: { credentials: Credentials }) {
  const t = useText('connections')
  const { hasRole } = useProject()
  const [doing, setDoing] = useParam('do')
  const reason = useRights().needsRole('OWNER')
  return (
    <>
      <Step
        number={1}
        title={t.serviceAccount}
        isDone={android.clientEmail !== null}
        aside={
          <Button
            variant={android.clientEmail ? 'plain' : 'primary'}
            onClick={() => setDoing('credentials', { push: true })}
            reason={reason}
          >
            {android.clientEmail ? t.changeKeys : t.enterKeys}
          </Button>
        }
      >
        {!android.clientEmail && <Guide lines={t.androidGuide} />}
        {android.configured && (
          <Facts
            items={[
              [t.packageName, android.packageName && <CopyText key="p" text={android.packageName} />],
              [t.serviceAccount, android.clientEmail && <CopyText key="e" text={android.clientEmail} />],
            ]}
          />
        )}
      </Step>
      {hasRole('DEVELOPER') && android.clientEmail !== null && <PubSub />}
      {doing === 'credentials' && <AndroidForm saved={android} onClose={() => setDoing(null)} reason={reason} />}
    </>
  )
}
