import { formatNumber } from '../lib/format'
import { useReading } from '../lib/session'
import { useStayQuestion } from '../lib/use-stay-question'
import { useText } from '../text/catalogue'
import { Button } from './button'
import { runningExports } from './running-exports'

/** The lists that are being written into files, on whatever screen: how far each is, and a way to stop it. */
export function Exports() {
  const t = useText('common')
  const reading = useReading()
  const running = Object.entries(runningExports.use())
  useStayQuestion(running.length > 0)
  if (running.length === 0) return null
  return (
    <section
      aria-label={t.exportCsv}
      className="fixed bottom-18 left-1/2 z-20 grid w-max max-w-[calc(100vw-32px)] -translate-x-1/2 gap-1 rounded-control border border-line bg-raised py-1 pr-1 pl-3 text-xs shadow-float"
    >
      {running.map(([key, { file, read, stop }]) => (
        <div key={key} className="flex items-center gap-3">
          <span className="truncate font-mono">{file}</span>
          <span role="status" className="shrink-0 text-ink-2 tabular-nums">
            {t.exporting(formatNumber(reading, read))}
          </span>
          <Button variant="quiet" onClick={stop}>
            {t.stop}
          </Button>
        </div>
      ))}
    </section>
  )
}
