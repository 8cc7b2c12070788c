import { useState } from 'react'
import { Dialog } from '../../kit/dialog'
import { Field, TextArea } from '../../kit/field'
import { Form } from '../../kit/form'
import { useText } from '../../text/catalogue'
import type { useIntent } from './use-intent'

interface ReviseProps {
  deed: ReturnType<typeof useIntent>
  onClose: () => void
}

/** Other arguments for the same action. The server computes a new change from them. */
export function ReviseIntent({ deed, onClose }: ReviseProps) {
  const t = useText('intents')
  const c = useText('common')
  const { intent, isBusy, reviseError } = deed
  const [text, setText] = useState(() => JSON.stringify(intent.arguments, null, 2))
  const [shownId] = useState(intent.id)
  const given = read(text)
  if (intent.id !== shownId) return null
  return (
    <Dialog title={t.changeIt} onClose={onClose} isWide>
      <p className="text-sm text-ink-2">{t.changeHint}</p>
      <Form
        submit={t.prepareAgain}
        busy={isBusy}
        error={reviseError}
        onCancel={onClose}
        onSubmit={() => given && deed.revise(given)}
      >
        <Field label={t.arguments} error={given ? null : c.notJson}>
          <TextArea
            rows={12}
            data-first
            spellCheck={false}
            data-unreadable={given ? undefined : true}
            value={text}
            onChange={(event) => setText(event.target.value)}
            className="font-mono text-xs"
          />
        </Field>
      </Form>
    </Dialog>
  )
}

function read(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}
