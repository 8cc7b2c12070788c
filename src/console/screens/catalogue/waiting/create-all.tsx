import { useState } from 'react'
import { api } from '../../../api/client'
import { Checkbox } from '../../../kit/field'
import { useProject } from '../../../lib/session'
import { CreateProducts } from '../../../parts/create-products'
import { useText } from '../../../text/catalogue'
import { useAccess } from '../use-catalogue'
import { CHANGED, WAITING } from './use-waiting'

/** Creates every product that purchases wait for. Their accesses are chosen for all of them. */
export function CreateAll({ reason, onClose }: { reason: string | null; onClose: () => void }) {
  const t = useText('catalogue')
  const { path } = useProject()
  const { items: access } = useAccess()
  const [accessIds, choose] = useState<readonly string[]>([])
  const toggle = (id: string, isOn: boolean) =>
    choose(isOn ? [...accessIds, id] : accessIds.filter((one) => one !== id))
  return (
    <CreateProducts
      hint={t.createHint}
      run={(dryRun) => api.post(WAITING, { params: { path }, body: { dryRun, accessIds: [...accessIds] } })}
      chosen={access.filter(({ id }) => accessIds.includes(id)).map(({ identifier }) => identifier)}
      refreshes={CHANGED}
      reason={reason}
      onClose={onClose}
    >
      {access.length > 0 && (
        <fieldset className="grid gap-1">
          <legend className="pb-1 text-sm font-medium">{t.givesAccess}</legend>
          {access.map(({ id, identifier, displayName }) => (
            <Checkbox
              key={id}
              checked={accessIds.includes(id)}
              onChange={(isOn) => toggle(id, isOn)}
              label={
                <>
                  {displayName} <span className="font-mono text-xs text-ink-2">{identifier}</span>
                </>
              }
            />
          ))}
        </fieldset>
      )}
    </CreateProducts>
  )
}
