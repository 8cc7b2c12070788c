import { FileUp } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { type Upload, UploadEnded, upload } from '../../../api/upload'
import { Bar } from '../../../kit/bar'
import { Button } from '../../../kit/button'
import { FormFailure } from '../../../kit/failure'
import { cx } from '../../../lib/class-names'
import { formatBytes, formatShare } from '../../../lib/format'
import { useReading } from '../../../lib/session'
import { useStayQuestion } from '../../../lib/use-stay-question'
import { useText } from '../../../text/catalogue'
import { isReadable, KINDS_OF_FILE } from './file-kinds'
import type { Job } from './model'

interface DropZoneProps {
  url: (fileName: string) => string
  onDone: (job: Job) => void
}

/** A place for a file: drop it, or choose it. */
export function DropZone({ url, onDone }: DropZoneProps) {
  const t = useText('moving')
  const { file, share, error, send, abort } = useUpload(url, onDone)
  const [isOver, setOver] = useState(false)
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
        send([...event.dataTransfer.files])
      }}
      className={cx(
        'grid justify-items-center gap-2 rounded-card border border-dashed px-4 py-6 text-center text-sm',
        isOver ? 'border-accent bg-accent-soft' : 'border-line-2 bg-surface',
      )}
    >
      <FormFailure error={error} />
      {file ? <Progress file={file} share={share} onAbort={abort} /> : <Choose onFiles={send} />}
    </section>
  )
}

function Choose({ onFiles }: { onFiles: (files: File[]) => void }) {
  const t = useText('moving')
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <p className="text-md font-medium">{t.dropFile}</p>
      <p className="max-w-xl text-ink-2">{t.dropFileHint}</p>
      <Button variant="primary" icon={<FileUp aria-hidden size={14} />} onClick={() => input.current?.click()}>
        {t.chooseFile}
      </Button>
      <input
        ref={input}
        type="file"
        aria-label={t.upload}
        accept={KINDS_OF_FILE}
        tabIndex={-1}
        className="sr-only"
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])])
          target.value = ''
        }}
      />
    </>
  )
}

function Progress({ file, share, onAbort }: { file: File; share: number; onAbort: () => void }) {
  const t = useText('moving')
  const common = useText('common')
  const reading = useReading()
  return (
    <div className="grid w-full max-w-md gap-2">
      <p className="truncate font-medium" title={file.name}>
        {file.name} <span className="font-normal text-ink-2">{formatBytes(reading, file.size)}</span>
      </p>
      <Bar share={share} label={t.upload} />
      <p className="flex items-center justify-between text-ink-2 tabular-nums">
        {share < 1 ? formatShare(reading, share) : t.readingHeader}
        <Button onClick={onAbort}>{common.cancel}</Button>
      </p>
    </div>
  )
}

function useUpload(url: (fileName: string) => string, onDone: (job: Job) => void) {
  const t = useText('moving')
  const [file, setFile] = useState<File | null>(null)
  const [share, setShare] = useState(0)
  const [error, setError] = useState<Error | null>(null)
  const running = useRef<Upload<Job> | null>(null)
  useEffect(() => () => running.current?.abort(), [])
  useStayQuestion(file !== null)
  const send = ([chosen, ...others]: File[]) => {
    if (!chosen || file) return
    if (others.length > 0) return setError(new Error(t.oneFileOnly))
    if (!isReadable(chosen)) return setError(new Error(t.fileKindWrong))
    setError(null)
    setShare(0)
    setFile(chosen)
    running.current = upload<Job>(url(chosen.name.slice(0, 255).toWellFormed()), chosen, setShare)
    running.current.done
      .then(onDone, (cause: Error) => !(cause instanceof UploadEnded) && setError(cause))
      .finally(() => setFile(null))
  }
  return { file, share, error, send, abort: () => running.current?.abort() }
}
