import { useState } from 'react'
import { api } from '../../../api/client'
import { Button } from '../../../kit/button'
import { Card } from '../../../kit/card'
import { useProject } from '../../../lib/session'
import { Removal } from '../../../parts/removal'
import { useText } from '../../../text/catalogue'
import { useRights } from '../shared/rights'
import { PATHS, type StoreName } from './model'

interface RemoveCredentialsProps {
  store: StoreName
  revision: number
}

export function RemoveCredentials({ store, revision }: RemoveCredentialsProps) {
  const t = useText('connections')
  const common = useText('common')
  const { path } = useProject()
  const [isAsked, setAsked] = useState(false)
  const reason = useRights().needsRole('OWNER')
  const name = t.removeKeysOf(t.storeNames[store])
  return (
    <Card title={t.removeKeys}>
      <p className="pb-3 text-sm text-ink-2">{t.removeKeysHint}</p>
      <Button onClick={() => setAsked(true)} reason={reason}>
        {name}
      </Button>
      {isAsked && (
        <Removal
          title={name}
          reason={reason}
          done={common.deletedName(t.storeNames[store])}
          run={() =>
            api.delete(`${PATHS.credentials}/{store}`, {
              params: { path: { ...path, store }, header: { 'If-Match': `"${revision}"` } },
            })
          }
          refreshes={[PATHS.credentials, PATHS.apps, PATHS.payment]}
          onClose={() => setAsked(false)}
        >
          <p>{t.removeKeysMeans[store]}</p>
        </Removal>
      )}
    </Card>
  )
}
