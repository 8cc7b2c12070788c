import { useText } from '../text/catalogue'
import { Button } from './button'
import { Cell, changesBetween, type Line } from './changes'
import { Dialog } from './dialog'
import type { Edit } from './edit'
import { ScrollBox } from './scroll-box'
import { Time } from './values'

/** Shown when another person saved first: both sets of values, and which of them to keep. */
export function ConflictDialog<T>({ edit }: { edit: Edit<T> }) {
  const t = useText('common')
  const { conflict, draft, lines } = edit
  if (!conflict) return null
  const rows = rowsOf(lines(draft.base.value), lines(conflict.theirs.value), lines(draft.value))
  return (
    <Dialog title={t.changedMeanwhile} onClose={edit.closeConflict} isWide>
      <p className="text-sm">
        <b className="font-semibold">{conflict.by ?? t.somebody}</b> <Time at={conflict.at} />
      </p>
      <p className="text-sm text-ink-2">{t.changedMeanwhileHint}</p>
      <ScrollBox label={t.changedMeanwhile} className="rounded-control border border-line">
        <table className="w-full border-collapse text-sm" aria-label={t.changedMeanwhile}>
          <thead>
            <tr className="bg-sunken text-left text-xs text-ink-2">
              {[t.member, t.before, t.theirs, t.yours].map((title) => (
                <th key={title} scope="col" className="px-3 py-2 font-medium">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ key, label, before, theirs, yours }) => (
              <tr key={key} className="border-t border-line align-top">
                <th scope="row" className="px-3 py-2 text-left font-medium">
                  {label}
                </th>
                <Cell text={before} isOld />
                <Cell text={theirs} isOld={theirs === before} />
                <Cell text={yours} isOld={yours === before} />
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
      <div className="flex flex-wrap justify-end gap-2">
        <Button data-first onClick={edit.loadTheirs}>
          {t.loadTheirs}
        </Button>
        <Button variant="danger" onClick={edit.overwrite} busy={edit.busy}>
          {t.overwrite}
        </Button>
      </div>
    </Dialog>
  )
}

interface Row {
  key: string
  label: string
  before: string | null
  theirs: string | null
  yours: string | null
}

/** What either side changed. */
function rowsOf(base: Line[], theirs: Line[], yours: Line[]): Row[] {
  const [a, b] = [changesBetween(base, theirs), changesBetween(base, yours)]
  const textIn = (lines: Line[], key: string) => lines.find((line) => line.key === key)?.text ?? null
  return [...new Map([...a, ...b].map((change) => [change.key, change])).values()].map(({ key, label }) => ({
    key,
    label,
    before: textIn(base, key),
    theirs: textIn(theirs, key),
    yours: textIn(yours, key),
  }))
}
