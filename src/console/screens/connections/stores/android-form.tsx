import { useState } from 'react'
import { api } from '../../../api/client'
import { ApiFailure } from '../../../api/failure'
import { Field, TextInput } from '../../../kit/field'
import { useText } from '../../../text/catalogue'
import { androidAsFile } from '../as-file'
import { KeyFile } from './key-file'
import { type Credentials, type FormProps, PATHS } from './model'
import { StoreSheet } from './store-sheet'

export function AndroidForm({ saved, onClose, reason }: FormProps<Credentials['android']>) {
  const t = useText('connections')
  const [packageName, setPackageName] = useState(saved.packageName ?? '')
  const [file, setFile] = useState('')
  const isKept = file.trim() === '' && saved.clientEmail !== null
  const isChanged = packageName !== (saved.packageName ?? '') || file !== ''
  return (
    <StoreSheet
      store="android"
      title={t.serviceAccount}
      revision={saved.revision}
      save={(params) =>
        api.put(`${PATHS.credentials}/android`, {
          params,
          body: {
            packageName: packageName.trim(),
            serviceAccount: file.trim() === '' ? null : documentOf(file, t.credentialReasons.unreadable),
          },
        })
      }
      changedAs={isChanged ? androidAsFile(packageName, isKept) : null}
      onClose={onClose}
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
        hint={saved.clientEmail === null ? t.keyFileHint : t.keptIfEmpty}
        accept=".json"
        value={file}
        onChange={setFile}
      />
    </StoreSheet>
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
