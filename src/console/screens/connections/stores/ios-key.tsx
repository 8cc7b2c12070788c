import { Field, TextInput } from '../../../kit/field'
import { useText } from '../../../text/catalogue'
import { Group } from '../shared/group'
import { type KeyDraft, keyIdIn } from './ios-draft'
import { KeyFile } from './key-file'

interface IosKeyProps {
  name: 'inAppPurchaseKey' | 'storeConnectKey'
  value: KeyDraft
  savedId: string | null
  onChange: (value: KeyDraft) => void
}

export function IosKey({ name, value, savedId, onChange }: IosKeyProps) {
  const t = useText('connections')
  const isKept = savedId !== null && savedId === value.keyId
  return (
    <Group legend={t[name]} hint={t.iosKeyHints[name]}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3 rounded-control border border-line p-3">
        <KeyFile
          label={t.privateKey}
          name={`${name}.privateKey`}
          hint={isKept ? t.keyKept : t.privateKeyHint}
          accept=".p8,.pem"
          value={value.privateKey}
          onChange={(privateKey, fileName) => {
            const keyId = (fileName && keyIdIn(fileName)) ?? value.keyId
            onChange({ ...value, privateKey, keyId: keyId || value.keyId })
          }}
        />
        <Field label={t.keyId} name={`${name}.keyId`} hint={t.keyIdHint}>
          <TextInput
            value={value.keyId}
            spellCheck={false}
            onChange={({ target }) => onChange({ ...value, keyId: target.value })}
            className="font-mono"
          />
        </Field>
        <Field label={t.issuerId} name={`${name}.issuerId`} hint={t.issuerIdHint}>
          <TextInput
            value={value.issuerId}
            spellCheck={false}
            onChange={({ target }) => onChange({ ...value, issuerId: target.value })}
            className="font-mono"
          />
        </Field>
      </div>
    </Group>
  )
}
