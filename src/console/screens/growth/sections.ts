/** The lines below `section:`, without it. */
function sectionLines(yaml: string, section: string): string[] {
  const lines = yaml.split('\n')
  const from = lines.indexOf(`${section}:`)
  if (from < 0) return []
  const rest = lines.slice(from + 1)
  const to = rest.findIndex((line) => /^[^ \n]/.test(line))
  return to < 0 ? rest : rest.slice(0, to)
}

/** The name at the start of a line of objects, without its quotes. */
function namesOf(line: string): string | null {
  const match = /^ {2}(?:\? )?("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^ "'#][^#]*?):(?: |$)/.exec(line)
  if (!match?.[1]) return null
  const [text] = [match[1]]
  if (text.startsWith('"')) return String(JSON.parse(text))
  return text.startsWith("'") ? text.slice(1, -1).replaceAll("''", "'") : text
}

export interface FunnelName {
  id: string
  slug: string
  name: string
}

/** The funnels that a project file with ids names. */
export function funnelsIn(yaml: string): FunnelName[] {
  const funnels: FunnelName[] = []
  let slug = ''
  for (const line of sectionLines(yaml, 'funnels')) {
    slug = namesOf(line) ?? slug
    const id = /^ {4}# (fnl_\w+)$/.exec(line)?.[1]
    if (id) funnels.push({ id, slug, name: slug })
    const last = funnels.at(-1)
    const name = /^ {4}name: (.+)$/.exec(line)?.[1]
    if (last && name !== undefined) last.name = name.replace(/^(["'])(.*)\1$/, '$2')
  }
  return funnels
}
