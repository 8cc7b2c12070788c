import { cx } from '../lib/class-names'
import { useText } from '../text/catalogue'
import { ScrollBox } from './scroll-box'

/** One member of an object in words. The key identifies it across versions of the object. */
export interface Line {
  key: string
  label: string
  text: string
}

/** What differs between two versions. Null: it is not there. */
export interface Change {
  key: string
  label: string
  before: string | null
  after: string | null
}

export function changesBetween(before: readonly Line[], after: readonly Line[]): Change[] {
  const [old, young] = [byKey(before), byKey(after)]
  const keys = new Set([...old.keys(), ...young.keys()])
  return [...keys].flatMap((key) => {
    const [from, to] = [old.get(key), young.get(key)]
    if (from?.text === to?.text) return []
    return [{ key, label: (to ?? from)?.label ?? key, before: from?.text ?? null, after: to?.text ?? null }]
  })
}

const byKey = (lines: readonly Line[]): Map<string, Line> => new Map(lines.map((line) => [line.key, line]))

/** The changes, one per line: what, before, after. */
export function ChangeTable({ changes, notes = {} }: { changes: readonly Change[]; notes?: Record<string, string> }) {
  const t = useText('common')
  return (
    <ScrollBox label={`${t.before}, ${t.after}`} className="rounded-control border border-line">
      <table className="w-full border-collapse text-sm">
        <thead>
          <tr className="bg-sunken text-left text-xs text-ink-2">
            {[t.member, t.before, t.after].map((title) => (
              <th key={title} scope="col" className="px-3 py-2 font-medium">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {changes.map(({ key, label, before, after }) => (
            <tr key={key} className="border-t border-line align-top">
              <th scope="row" className="px-3 py-2 text-left font-medium">
                {label}
                {notes[key] !== undefined && <span className="block font-normal text-ink-2">{notes[key]}</span>}
              </th>
              <Cell text={before} isOld />
              <Cell text={after} />
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  )
}

export const Cell = ({ text, isOld = false }: { text: string | null; isOld?: boolean }) => (
  <td className={cx('max-w-60 px-3 py-2 font-mono text-xs break-words whitespace-pre-wrap', isOld && 'text-ink-2')}>
    {text ?? '—'}
  </td>
)
