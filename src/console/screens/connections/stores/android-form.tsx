import { useState } from 'react'
import { api } from '../../../api/client'
import { ApiFailure } from '../../../api/failure'
import { useAction, useRefresh } from '../../../api/queries'
import { Dialog } from '../../../kit/dialog'
import { Field, Switch, TextInput } from '../../../kit/field'
import { Form } from '../../../kit/form'
import { ProjectFilePart } from '../../../kit/project-file'
import { toast } from '../../../kit/toast'
import { useProject } from '../../../lib/session'
import { useText } from '../../../text/catalogue'
import { androidAsFile } from '../as-file'
import { newerRevision } from '../shared/conflict'
import { KeyFile } from './key-file'
import { type Credentials, PATHS } from './model'
import { useCredentialsRefusal } from './refusal'
import { StoreConflict } from './store-conflict'

interface AndroidFormProps {
  saved: Credentials['android']
  onClose: () => void
  reason: string | null
}

export function AndroidForm({ saved, onClose, reason }: AndroidFormProps) {
  const t = useText('connections')
  const common = useText('common')
  const { path } = useProject()
  const [packageName, setPackageName] = useState(saved.packageName ?? '')
  const [file, setFile] = useState('')
  const [isProbed, setProbed] = useState(true)
  const [begun] = useState(saved.revision)
  const refresh = useRefresh()
  const save = useAction({
    run: async (revision: number) => {
      const serviceAccount = documentOf(file, t.credentialReasons.unreadable)
      return api.put(`${PATHS.credentials}/android`, {
        params: { path, query: isProbed ? {} : { probe: 'false' }, header: { 'If-Match': `"${revision}"` } },
        body: { packageName: packageName.trim(), serviceAccount },
      })
    },
    refreshes: [PATHS.credentials, PATHS.apps],
    onDone: () => {
      toast(isProbed ? t.savedAndTried : common.saved)
      onClose()
    },
  })
  const error = useCredentialsRefusal(save.error)
  return (
    <Dialog title={t.serviceAccount} kind="sheet" onClose={onClose}>
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
        <Field label={t.packageName} name="packageName" hint={t.packageNameHint}>
          <TextInput
            data-first
            value={packageName}
            spellCheck={false}
            placeholder="com.example.app"
            onChange={({ target }) => setPackageName(target.value)}
            className="font-mono"
          />
        </Field>
        <KeyFile
          label={t.keyFile}
          name="serviceAccount"
          hint={t.keyFileHint}
          accept=".json"
          value={file}
          onChange={setFile}
        />
        <Switch checked={isProbed} onChange={setProbed} label={t.probe} />
      </Form>
      <ProjectFilePart
        isInside
        kind="store"
        identifier="android"
        revision={saved.revision}
        changedAs={packageName !== (saved.packageName ?? '') || file !== '' ? androidAsFile(packageName) : null}
      />
    </Dialog>
  )
}

/** The key file as the API takes it. A text that is no JSON never leaves the browser. */
function documentOf(text: string, message: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    if (value !== null && typeof value === 'object' && !Array.isArray(value)) return value as Record<string, unknown>
  } catch {
    // Not JSON: refused below.
  }
  throw new ApiFailure(
    400,
    'STORE_CREDENTIALS_INVALID',
    message,
    { field: 'serviceAccount', reason: 'unreadable' },
    null,
    null,
  )
}
