import { FileUp } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { type Upload, UploadEnded, upload } from '../api/upload'
import { Bar } from '../kit/bar'
import { Button } from '../kit/button'
import { FormFailure } from '../kit/failure'
import { cx } from '../lib/class-names'
import { useProject } from '../lib/session'
import { useText } from '../text/catalogue'

interface Running {
  name: string
  share: number
  error: Error | null
}

/** A place for pictures, videos and animations: drop several, paste one, or choose. Each has its bar and its refusal. */
export function AssetUploads({ reason, onDone }: { reason: string | null; onDone: () => void }) {
  const t = useText('files')
  const input = useRef<HTMLInputElement>(null)
  const { running, send } = useAssetUploads(onDone)
  const [isOver, setOver] = useState(false)
  const take = (files: FileList | null) => reason === null && send([...(files ?? [])])
  return (
    <section
      aria-label={t.upload}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        take(event.dataTransfer.files)
      }}
      onPaste={(event) => take(event.clipboardData.files)}
      className={cx(
        'grid justify-items-center gap-2 rounded-card border border-dashed px-4 py-6 text-center text-sm',
        isOver ? 'border-accent bg-accent-soft' : 'border-line-2 bg-surface',
      )}
    >
      <p className="text-md font-medium">{t.drop}</p>
      <p className="max-w-xl text-ink-2">{t.dropHint}</p>
      <Button icon={<FileUp aria-hidden size={14} />} reason={reason} onClick={() => input.current?.click()}>
        {t.upload}
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        aria-label={t.upload}
        accept="image/jpeg,image/png,image/webp,image/gif,video/mp4,video/webm,application/json"
        tabIndex={-1}
        className="sr-only"
        onChange={({ target }) => {
          take(target.files)
          target.value = ''
        }}
      />
      <ul className="grid w-full max-w-md gap-2 text-left">
        {running.map(({ name, share, error }) => (
          <li key={name} className="grid gap-1">
            <span className="truncate font-medium">{name}</span>
            {error ? <FormFailure error={error} /> : <Bar share={share} label={name} />}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The kind by the type that the browser knows; the server looks at the bytes. */
const kindOf = ({ type }: File): string =>
  type.startsWith('video/') ? 'video' : type.includes('json') ? 'lottie' : 'image'

/** What a name may consist of. */
const nameOf = ({ name }: File): string => name.replace(/[^A-Za-z0-9 ._-]/g, '_').slice(-120)

function useAssetUploads(onDone: () => void) {
  const { api } = useProject()
  const [running, setRunning] = useState<readonly Running[]>([])
  const open = useRef(new Set<Upload<unknown>>())
  useEffect(() => () => open.current.forEach((one) => void one.abort()), [])
  const send = (files: readonly File[]) => {
    for (const file of files) {
      const { name } = file
      const say = (change: Partial<Running>) =>
        setRunning((all) => all.map((one) => (one.name === name ? { ...one, ...change } : one)))
      setRunning((all) => [...all.filter((one) => one.name !== name), { name, share: 0, error: null }])
      const url = `${api}/assets/${kindOf(file)}?name=${encodeURIComponent(nameOf(file))}`
      const one = upload(url, file, (share) => say({ share }), 'application/octet-stream')
      open.current.add(one)
      one.done
        .then(
          () => {
            setRunning((all) => all.filter((other) => other.name !== name))
            onDone()
          },
          (error: Error) => !(error instanceof UploadEnded) && say({ error }),
        )
        .finally(() => open.current.delete(one))
    }
  }
  return { running, send }
}
