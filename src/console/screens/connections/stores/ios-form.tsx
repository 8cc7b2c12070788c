import { useState } from 'react'
import { api } from '../../../api/client'
import { useAction, useRefresh } from '../../../api/queries'
import { Dialog } from '../../../kit/dialog'
import { isSame } from '../../../kit/draft'
import { Switch } from '../../../kit/field'
import { Form } from '../../../kit/form'
import { ProjectFilePart } from '../../../kit/project-file'
import { toast } from '../../../kit/toast'
import { useProject } from '../../../lib/session'
import { useText } from '../../../text/catalogue'
import { iosAsFile } from '../as-file'
import { newerRevision } from '../shared/conflict'
import { IosApp } from './ios-app'
import { bodyOf, draftOf } from './ios-draft'
import { IosKey } from './ios-key'
import { type Credentials, PATHS } from './model'
import { useCredentialsRefusal } from './refusal'
import { StoreConflict } from './store-conflict'

interface IosFormProps {
  saved: Credentials['ios']
  onClose: () => void
  reason: string | null
}

export function IosForm({ saved, onClose, reason }: IosFormProps) {
  const t = useText('connections')
  const common = useText('common')
  const { path } = useProject()
  const [draft, setDraft] = useState(draftOf(saved))
  const [isProbed, setProbed] = useState(true)
  const [begun] = useState(saved.revision)
  const refresh = useRefresh()
  const save = useAction({
    run: (revision: number) =>
      api.put(`${PATHS.credentials}/ios`, {
        params: { path, query: isProbed ? {} : { probe: 'false' }, header: { 'If-Match': `"${revision}"` } },
        body: bodyOf(draft),
      }),
    refreshes: [PATHS.credentials, PATHS.apps],
    onDone: () => {
      toast(isProbed ? t.savedAndTried : common.saved)
      onClose()
    },
  })
  const error = useCredentialsRefusal(save.error)
  return (
    <Dialog title={t.appAndKeys} kind="sheet" onClose={onClose}>
      <StoreConflict
        error={save.error}
        onLoad={() => {
          refresh(PATHS.credentials, PATHS.apps)
          onClose()
        }}
        onOverwrite={save.submit}
      />
      <Form
        onSubmit={() => save.submit(begun)}
        submit={isProbed ? t.tryAndSave : common.save}
        busy={save.busy}
        error={newerRevision(save.error) === null ? error : null}
        onCancel={onClose}
        reason={reason}
      >
        <IosApp draft={draft} onChange={setDraft} />
        <IosKey
          name="inAppPurchaseKey"
          value={draft.inAppPurchaseKey}
          savedId={saved.inAppPurchaseKey?.keyId ?? null}
          onChange={(inAppPurchaseKey) => setDraft({ ...draft, inAppPurchaseKey })}
        />
        <IosKey
          name="storeConnectKey"
          value={draft.storeConnectKey}
          savedId={saved.storeConnectKey?.keyId ?? null}
          onChange={(storeConnectKey) => setDraft({ ...draft, storeConnectKey })}
        />
        <Switch checked={isProbed} onChange={setProbed} label={t.probe} />
      </Form>
      <ProjectFilePart
        isInside
        kind="store"
        identifier="ios"
        revision={saved.revision}
        changedAs={!isSame(draft, draftOf(saved)) ? iosAsFile(draft) : null}
      />
    </Dialog>
  )
}
