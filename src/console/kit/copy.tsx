import { Check, Terminal } from 'lucide-react'
import { useState } from 'react'
import { cx } from '../lib/class-names'
import { putOnClipboard } from '../lib/clipboard'
import { useText } from '../text/catalogue'
import { toast } from './toast'

const TICK_MS = 1400

function useCopy(text: string): [copied: boolean, copy: () => void] {
  const t = useText('common')
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    if (!(await putOnClipboard(text))) return toast(t.copyRefused, { isBad: true })
    setCopied(true)
    setTimeout(() => setCopied(false), TICK_MS)
  }
  return [copied, copy]
}

/** Copies and says so at the edge of the screen: for menus, which are closed then. */
export function useCopied(): (text: string) => void {
  const t = useText('common')
  return async (text) => {
    const isPut = await putOnClipboard(text)
    toast(isPut ? t.copied : t.copyRefused, { isBad: !isPut })
  }
}

interface CopyTextProps {
  text: string
  /** The shown text, when it is shorter than the copied one. */
  shown?: string
  className?: string
}

/** An id, key or URL that can be copied. */
export function CopyText({ text, shown = text, className }: CopyTextProps) {
  return (
    <span className={cx('inline-flex max-w-full min-w-0 items-center gap-1 font-mono text-xs', className)} title={text}>
      <span className="cut min-w-0">{shown}</span>
      <CopyButton text={text} />
    </span>
  )
}

/** `sub_01m5vnfe…792g` */
export const Id = ({ id }: { id: string }) => (
  <CopyText text={id} shown={id.length > 18 ? `${id.slice(0, 12)}…${id.slice(-4)}` : id} />
)

export function CopyButton({ text }: { text: string }) {
  const t = useText('common')
  const [copied, copy] = useCopy(text)
  return (
    <button
      type="button"
      data-copy={text}
      title={t.copy}
      aria-label={copied ? undefined : t.copy}
      onClick={copy}
      className={cx('size-6 shrink-0 rounded-chip hover:bg-hover', copied ? 'icon-tick' : 'icon-copy')}
    >
      {copied && (
        <span role="status" className="sr-only">
          {t.copied}
        </span>
      )}
    </button>
  )
}

/** The call that reads the object of the screen, for a terminal. */
export function CurlButton({ command }: { command: string }) {
  const t = useText('common')
  const [copied, copy] = useCopy(command)
  return (
    <button
      type="button"
      title={t.copyAsCurl}
      onClick={copy}
      className="inline-flex size-6 shrink-0 items-center justify-center rounded-chip text-ink-3 hover:bg-hover hover:text-ink"
    >
      {copied ? <Check aria-hidden size={13} /> : <Terminal aria-hidden size={13} />}
      <span className="sr-only" aria-live="polite">
        {copied ? t.copied : t.copyAsCurl}
      </span>
    </button>
  )
}

/** A command or a file, with a button that copies all of it. */
export function Code({ text, label }: { text: string; label?: string }) {
  return (
    <figure className="overflow-hidden rounded-control border border-line bg-sunken">
      {label !== undefined && (
        <figcaption className="flex items-center justify-between border-b border-line py-1 pr-1 pl-3 text-xs text-ink-2">
          {label}
          <CopyButton text={text} />
        </figcaption>
      )}
      <div className="flex items-start justify-between gap-2 py-2 pr-1 pl-3">
        <pre tabIndex={0} className="min-w-0 flex-1 overflow-x-auto font-mono text-xs leading-5">
          {text}
        </pre>
        {label === undefined && <CopyButton text={text} />}
      </div>
    </figure>
  )
}
