import { countChanges, type MemberChange, type ObjectChange } from './changes'
import type { FileWarning } from './plan'
import type { LocatedProblem } from './problem'
import type { KeptSecret } from './secret'

const SIGNS = { create: '+', update: '~', delete: '-' } as const

/** The lines that a person reads before they confirm the changes (wire section 8). */
export function formatDiff(
  changes: readonly ObjectChange[],
  kept: readonly KeptSecret[],
  warnings: readonly FileWarning[] = [],
): string[] {
  return [
    ...changes.flatMap(formatChange),
    ...kept.map(formatKept),
    ...warnings.map(({ kind, ref, message }) => `! ${kind} ${ref}: ${message}`),
    changes.length === 0 ? 'no changes' : formatCounts(changes),
  ]
}

function formatChange({ op, kind, ref, members, isPruned }: ObjectChange): string[] {
  const head = `${SIGNS[op]} ${kind} ${ref}`
  const mark = isPruned ? '(--prune)' : ''
  return [mark === '' ? head : inColumns(head, mark), ...members.map(formatMember)]
}

const COLUMN = 32

const inColumns = (left: string, right: string): string => `${left.padEnd(COLUMN)}  ${right}`

const formatMember = ({ path, before, after }: MemberChange): string => `    ${path}: ${show(before)} -> ${show(after)}`

const formatKept = ({ place, path, reason, isSaved }: KeptSecret): string =>
  inColumns(`! ${place}.${path}`, `${reason}, ${isSaved ? 'saved value kept' : 'and no value is saved'}`)

function formatCounts(changes: readonly ObjectChange[]): string {
  const counts = countChanges(changes)
  return `${counts.create} to create, ${counts.update} to change, ${counts.delete} to delete.`
}

const MAX_SHOWN = 200

/** A value on one line, cut after 200 characters. */
function show(value: unknown): string {
  const text = write(value)
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text
}

function write(value: unknown): string {
  if (value === null || value === undefined) return '(none)'
  if (typeof value === 'string') return isPlain(value) ? value : JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(write).join(', ')}]`
  if (typeof value !== 'object') return String(value)
  if (JSON.isRawJSON(value)) return value.rawJSON
  return `{${Object.entries(value)
    .map(([name, member]) => `${name}: ${write(member)}`)
    .join(', ')}}`
}

// The second form is the words that replace secrets.
const isPlain = (text: string): boolean => /^[\w$./:@ -]+$|^\((saved|new)\)$/.test(text)

/** One entry of `changes` in the output of `--json`: a whole object, or one member of an updated object. */
export interface JsonChange {
  op: 'create' | 'update' | 'delete' | 'keep-secret'
  kind: string
  ref: string
  path: string | null
  before: unknown
  after: unknown
}

export interface JsonDiff {
  changes: JsonChange[]
  counts: { create: number; update: number; delete: number; keepSecret: number }
  /** Absent where there is none. */
  warnings?: FileWarning[]
}

/** The diff as JSON, for programs. */
export const jsonDiff = (
  changes: readonly ObjectChange[],
  kept: readonly KeptSecret[],
  warnings: FileWarning[] = [],
): JsonDiff => ({
  changes: [...changes.flatMap(jsonChanges), ...kept.map(jsonKept)],
  counts: { ...countChanges(changes), keepSecret: kept.length },
  ...(warnings.length > 0 && { warnings }),
})

function jsonChanges({ op, kind, ref, before, after, members }: ObjectChange): JsonChange[] {
  if (op !== 'update') return [{ op, kind, ref, path: null, before, after }]
  return members.map((member) => ({ op, kind, ref, ...member }))
}

const jsonKept = ({ kind, ref, path, reason }: KeptSecret): JsonChange => ({
  op: 'keep-secret',
  kind,
  ref,
  path,
  before: null,
  after: reason,
})

/** One line for each problem: `svc.yaml:12:5 products.pro.type: This must be ...`. */
export const formatProblems = (fileName: string, problems: readonly LocatedProblem[]): string[] =>
  problems.map(({ line, column, path, message, code }) => {
    const where = path === '' ? '' : ` ${path}:`
    return `${fileName}:${line}:${column}${where} ${message}${code === 'VALIDATION_ERROR' ? '' : ` (${code})`}`
  })
