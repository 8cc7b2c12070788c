import { Button } from '../../../kit/button'
import { Facts } from '../../../kit/card'
import { CopyText } from '../../../kit/copy'
import { useProject } from '../../../lib/session'
import { useParam } from '../../../lib/url-state'
import { useText } from '../../../text/catalogue'
import { useRights } from '../shared/rights'
import { IosForm } from './ios-form'
import { IosTest } from './ios-test'
import { IosUrls } from './ios-urls'
import type { Credentials } from './model'
import { Step } from './step'

/** Keys, notification address and test notification of the App Store. */
export function Ios({ credentials }: { credentials: Credentials }) {
  const t = useText('connections')
  const { hasRole } = useProject()
  const { ios } = credentials
  const [doing, setDoing] = useParam('do')
  const reason = useRights().needsRole('OWNER')
  const keyIdOf = (key: { keyId: string } | null) => key && <CopyText key={key.keyId} text={key.keyId} />
  return (
    <>
      <Step
        number={1}
        title={t.appAndKeys}
        isDone={ios.configured && ios.appId !== null && ios.inAppPurchaseKey !== null}
        aside={
          <Button
            variant={ios.inAppPurchaseKey ? 'plain' : 'primary'}
            onClick={() => setDoing('credentials', { push: true })}
            reason={reason}
          >
            {ios.inAppPurchaseKey ? t.changeKeys : t.enterKeys}
          </Button>
        }
      >
        {!ios.inAppPurchaseKey && <Guide lines={t.iosGuide} />}
        {ios.configured && (
          <Facts
            items={[
              [t.bundleId, ios.bundleId && <CopyText key="b" text={ios.bundleId} />],
              [t.appId, ios.appId && <CopyText key="a" text={ios.appId} />],
              [t.inAppPurchaseKey, keyIdOf(ios.inAppPurchaseKey)],
              [t.storeConnectKey, keyIdOf(ios.storeConnectKey)],
            ]}
          />
        )}
      </Step>
      {hasRole('DEVELOPER') && ios.configured && (
        <>
          <IosUrls hasKey={ios.storeConnectKey !== null} />
          <IosTest hasKey={ios.inAppPurchaseKey !== null} />
        </>
      )}
      {doing === 'credentials' && <IosForm saved={ios} onClose={() => setDoing(null)} reason={reason} />}
    </>
  )
}

/** Where the values are found, in the order in which a person meets them. */
export const Guide = ({ lines }: { lines: readonly string[] }) => (
  <ol className="grid list-decimal gap-1.5 pl-5 text-sm text-ink-2">
    {lines.map((line) => (
      <li key={line}>{line}</li>
    ))}
  </ol>
)
