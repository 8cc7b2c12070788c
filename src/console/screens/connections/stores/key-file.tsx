import { useState } from 'react'
import { Field, TextArea } from '../../../kit/field'
import { useText } from '../../../text/catalogue'

interface KeyFileProps {
  label: string
  name: string
  hint: string
  accept: string
  value: string
  /** With the name of the file, which often has the id of the key in it. */
  onChange: (text: string, fileName?: string) => void
}

const MOST = 100_000

/** A key as a file or as text: choose it, drop it on the field, or paste it. */
export function KeyFile({ label, name, hint, accept, value, onChange }: KeyFileProps) {
  const t = useText('connections')
  const [isOver, setOver] = useState(false)
  const take = async (file: File | undefined) => {
    setOver(false)
    if (!file) return
    onChange((await file.text()).slice(0, MOST), file.name)
  }
  return (
    <Field label={label} name={name} hint={hint}>
      <TextArea
        rows={4}
        value={value}
        spellCheck={false}
        autoComplete="off"
        placeholder={t.pasteOrDrop}
        onChange={({ target }) => onChange(target.value)}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          void take(event.dataTransfer.files[0])
        }}
        className={isOver ? 'border-accent font-mono text-xs' : 'font-mono text-xs'}
      />
      <label className="inline-flex min-h-6 w-fit cursor-pointer items-center text-sm text-accent hover:underline has-focus-visible:outline-2 has-focus-visible:outline-accent">
        {t.chooseFile}
        <span className="sr-only">: {label}</span>
        <input
          type="file"
          accept={accept}
          className="sr-only"
          onChange={({ target }) => {
            void take(target.files?.[0])
            target.value = ''
          }}
        />
      </label>
    </Field>
  )
}
