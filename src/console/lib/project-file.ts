/** The kinds of objects that a project file contains, and the section of each. */
export const SECTIONS = {
  project: 'project',
  access: 'access',
  virtualCurrency: 'virtualCurrencies',
  product: 'products',
  offering: 'offerings',
  audience: 'audiences',
  flag: 'flags',
  experiment: 'experiments',
  funnel: 'funnels',
  placement: 'placements',
  webhookEndpoint: 'webhookEndpoints',
  store: 'stores',
} as const

export type FileKind = keyof typeof SECTIONS

/** The first and the line after the last of one object in the text of a project file. Null when it is not in it. */
function placeOf(lines: readonly string[], kind: FileKind, identifier: string): [from: number, to: number] | null {
  const top = lines.findIndex((line) => keyAt(line, 0) === SECTIONS[kind])
  if (top === -1) return null
  const bottom = endOf(lines, top, 0)
  if (kind === 'project') return [top, bottom]
  const from = lines.findIndex((line, at) => at > top && at < bottom && keyAt(line, 2) === identifier)
  return from === -1 ? null : [from, Math.min(endOf(lines, from, 2), bottom)]
}

/** The line after the block that starts at `from`: the next line with the same or a smaller indentation. */
function endOf(lines: readonly string[], from: number, indent: number): number {
  const next = lines.findIndex((line, at) => at > from && line.trim() !== '' && line.search(/\S/) <= indent)
  return next === -1 ? lines.length : next
}

const KEY = /^( *)("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s#][^:]*(?::\S[^:]*)*):(?:\s|$)/

/** The key of a line with this indentation, as it is without quotes. */
function keyAt(line: string, indent: number): string | null {
  const [, spaces, key] = KEY.exec(line) ?? []
  if (key === undefined || spaces?.length !== indent) return null
  if (key.startsWith("'")) return key.slice(1, -1).replaceAll("''", "'")
  return key.startsWith('"') ? unquoted(key) : key
}

function unquoted(key: string): string {
  try {
    return String(JSON.parse(key))
  } catch {
    return key.slice(1, -1)
  }
}

/** One object of a project file, as a file that `svc apply` takes by itself. Null when the object is not in the file. */
export function objectText(file: string, kind: FileKind, identifier: string): string | null {
  const lines = file.split('\n')
  const place = placeOf(lines, kind, identifier)
  if (!place) return null
  const head = kind === 'project' ? ['version: 1'] : ['version: 1', `${SECTIONS[kind]}:`]
  return [...head, ...lines.slice(...place)].join('\n').trimEnd()
}

const CONTEXT = 3

/** The change from one text to another as a patch for `git apply`. Null when they are equal. */
export function patchOf(name: string, before: string, after: string): string | null {
  if (before === after) return null
  const [old, next] = [linesOf(before), linesOf(after)]
  const same = countSame(old, next)
  const end = countSame(old.slice(same).toReversed(), next.slice(same).toReversed())
  const from = Math.max(0, same - CONTEXT)
  const below = Math.min(CONTEXT, end)
  const inner = diffOf(old.slice(same, old.length - end), next.slice(same, next.length - end))
  const lines = [
    ...old.slice(from, same).map((line) => ` ${line}`),
    ...inner,
    ...old.slice(old.length - end, old.length - end + below).map((line) => ` ${line}`),
  ]
  const counts = [old, next].map(({ length }) => length - end - from + below)
  return [
    `--- a/${name}`,
    `+++ b/${name}`,
    `@@ -${from + 1},${counts[0]} +${from + 1},${counts[1]} @@`,
    ...lines,
    '',
  ].join('\n')
}

const linesOf = (text: string): string[] => text.replace(/\n$/, '').split('\n')

function countSame(one: readonly string[], other: readonly string[]): number {
  let count = 0
  while (count < one.length && count < other.length && one[count] === other[count]) count += 1
  return count
}

const MAX_COMPARED = 600

/** Lines with `-`, `+` or a space before each, as few changed ones as possible. */
export function diffOf(old: readonly string[], next: readonly string[]): string[] {
  if (old.length > MAX_COMPARED || next.length > MAX_COMPARED)
    return [...old.map((line) => `-${line}`), ...next.map((line) => `+${line}`)]
  const longest = commonLengths(old, next)
  const lines: string[] = []
  let [at, to] = [0, 0]
  while (at < old.length || to < next.length) {
    if (at < old.length && to < next.length && old[at] === next[to]) {
      lines.push(` ${old[at]}`)
      at += 1
      to += 1
    } else if (to >= next.length || (at < old.length && (longest[at + 1]?.[to] ?? 0) >= (longest[at]?.[to + 1] ?? 0))) {
      lines.push(`-${old[at]}`)
      at += 1
    } else {
      lines.push(`+${next[to]}`)
      to += 1
    }
  }
  return lines
}

/** `[i][j]`: the length of the longest list of lines that both texts have in this order, from `i` and from `j`. */
function commonLengths(old: readonly string[], next: readonly string[]): number[][] {
  const table = Array.from({ length: old.length + 1 }, () => new Array<number>(next.length + 1).fill(0))
  for (let at = old.length - 1; at >= 0; at--) {
    for (let to = next.length - 1; to >= 0; to--) {
      const row = table[at] as number[]
      row[to] =
        old[at] === next[to] ? (table[at + 1]?.[to + 1] ?? 0) + 1 : Math.max(table[at + 1]?.[to] ?? 0, row[to + 1] ?? 0)
    }
  }
  return table
}
