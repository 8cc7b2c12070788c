import { CornerDownLeft, Square } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { Button, IconButton } from '../../kit/button'
import { useText } from '../../text/catalogue'
import { Footnote } from './conversation-foot'

interface ComposerProps {
  isAnswering: boolean
  onAsk: (question: string) => void
  onStop: () => void
}

const MOST_CHARACTERS = 8000

/** The field for a question. Enter sends it, Shift and Enter add a line. */
export function Composer({ isAnswering, onAsk, onStop }: ComposerProps) {
  const t = useText('assistant')
  const c = useText('common')
  const [text, setText] = useState('')
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => field.current?.focus(), [])
  const send = () => {
    if (text.trim() === '' || isAnswering) return
    setText('')
    onAsk(text.trim())
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    send()
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
      className="grid gap-1.5 border-t border-line p-4 pt-3"
    >
      <div className="flex items-end gap-1 rounded-control border border-field bg-raised py-1 pr-1 pl-2.5">
        <textarea
          ref={field}
          rows={Math.min(6, text.split('\n').length)}
          value={text}
          maxLength={MOST_CHARACTERS}
          aria-label={t.ask}
          placeholder={t.ask}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKey}
          className="min-w-0 flex-1 resize-none bg-transparent py-1.5 text-md outline-none"
        />
        {isAnswering ? (
          <Button icon={<Square aria-hidden size={12} />} onClick={onStop}>
            {c.stop}
          </Button>
        ) : (
          <IconButton type="submit" label={t.send}>
            <CornerDownLeft aria-hidden size={16} className="text-accent" />
          </IconButton>
        )}
      </div>
      <Footnote />
    </form>
  )
}
