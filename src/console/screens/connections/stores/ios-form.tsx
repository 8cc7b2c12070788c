import { useState } from 'react'
import { api } from '../../../api/client'
import { isSame } from '../../../kit/draft'
import { useText } from '../../../text/catalogue'
import { iosAsFile } from '../as-file'
import { IosApp } from './ios-app'
import { bodyOf, draftOf } from './ios-draft'
import { IosKey } from './ios-key'
import { type Credentials, type FormProps, PATHS } from './model'
import { StoreSheet } from './store-sheet'

const KEYS = ['inAppPurchaseKey', 'storeConnectKey'] as const

export function IosForm({ saved, onClose, reason }: FormProps<Credentials['ios']>) {
  const t = useText('connections')
  const [draft, setDraft] = useState(draftOf(saved))
  return (
    <StoreSheet
      store="ios"
      title={t.appAndKeys}
      revision={saved.revision}
      save={(params) => api.put(`${PATHS.credentials}/ios`, { params, body: bodyOf(draft) })}
      changedAs={isSame(draft, draftOf(saved)) ? null : iosAsFile(draft, saved)}
      onClose={onClose}
      reason={reason}
    >
      <IosApp draft={draft} onChange={setDraft} />
      {KEYS.map((name) => (
        <IosKey
          key={name}
          name={name}
          value={draft[name]}
          savedId={saved[name]?.keyId ?? null}
          onChange={(key) => setDraft({ ...draft, [name]: key })}
        />
      ))}
    </StoreSheet>
  )
}
