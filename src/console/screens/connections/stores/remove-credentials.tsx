import { useState } from 'react'
import { api } from '../../../api/client'
import { useAction } from '../../../api/queries'
import { Button } from '../../../kit/button'
import { Card } from '../../../kit/card'
import { Confirm } from '../../../kit/dialog'
import { toast } from '../../../kit/toast'
import { useProject } from '../../../lib/session'
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
  const remove = useAction({
    run: () =>
      api.delete(`${PATHS.credentials}/{store}`, {
        params: { path: { ...path, store }, header: { 'If-Match': `"${revision}"` } },
      }),
    refreshes: [PATHS.credentials, PATHS.apps, PATHS.payment],
    onDone: () => {
      setAsked(false)
      toast(common.deleted)
    },
  })
  const name = t.removeKeysOf(t.storeNames[store])
  return (
    <Card title={t.removeKeys}>
      <p className="pb-3 text-sm text-ink-2">{t.removeKeysHint}</p>
      <Button onClick={() => setAsked(true)} reason={reason}>
        {name}
      </Button>
      {isAsked && (
        <Confirm
          title={name}
          action={name}
          onConfirm={() => remove.submit(undefined)}
          onClose={() => setAsked(false)}
          busy={remove.busy}
          error={remove.error}
          reason={reason}
        >
          <p>{t.removeKeysMeans[store]}</p>
        </Confirm>
      )}
    </Card>
  )
}
