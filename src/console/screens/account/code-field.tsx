import { Field, TextInput } from '../../kit/field'
import { useText } from '../../text/catalogue'

interface CodeFieldProps {
  code: string
  onChange: (code: string) => void
}

/** The six digits of an authenticator app. */
export function CodeField({ code, onChange }: CodeFieldProps) {
  const t = useText('account')
  return (
    <Field label={t.code} hint={t.codeHint} name="code">
      <TextInput
        data-first
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={16}
        value={code}
        onChange={(event) => onChange(event.target.value.replaceAll(' ', ''))}
        className="font-mono"
      />
    </Field>
  )
}
