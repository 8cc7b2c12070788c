import { dirname, join } from 'node:path'
import type { Source } from './sources'

/** Something that a file uses without an import, because another slice has declared it in a shared type. */
export interface Use {
  line: number
  /** The text for messages: `tables.flags`. */
  what: string
  /** The file that declares it. */
  to: string
}

/** Shared types, and the patterns that find uses of their members. They match text, so they miss an alias. */
const SHARED: readonly { type: string; module: string; label: string; uses: RegExp[] }[] = [
  {
    type: 'Tables',
    module: 'base/db/tables',
    label: 'tables',
    uses: [/\btables\.(\w+)/g, /\btables: \{([^}]*)\}/g, /\{([^{}]*)\} = [\w.]*\btables\b/g],
  },
  {
    type: 'SliceState',
    module: 'base/state',
    label: 'state',
    uses: [/\b(?:ctx|tx|context)\.state\.(\w+)/g, /(?<![\w.])state\.(\w+)/g, /\bstate: \{([^}]*)\}/g],
  },
  {
    type: 'ProjectParts',
    module: 'projects/project/state',
    label: 'project',
    uses: [/\bproject\.(\w+)/g, /\bpart\('(\w+)'\)/g],
  },
]

/** For each source, the members that it uses and another file declares. */
export function usesOfSharedTypes(sources: readonly Source[]): Map<Source, Use[]> {
  const found = new Map<Source, Use[]>()
  for (const shared of SHARED) {
    const owners = ownersOf(sources, shared)
    for (const source of sources) found.set(source, [...(found.get(source) ?? []), ...usesIn(source, shared, owners)])
  }
  return found
}

type Shared = (typeof SHARED)[number]

function usesIn({ name, lines }: Source, { label, uses }: Shared, owners: ReadonlyMap<string, string>): Use[] {
  const text = lines.join('\n')
  return uses.flatMap((pattern) =>
    [...text.matchAll(pattern)].flatMap((match) => {
      const line = text.slice(0, match.index).split('\n').length
      return membersIn(match[1] ?? '').flatMap((member) => {
        const to = owners.get(member)
        return to === undefined || to === name ? [] : [{ line, what: `${label}.${member}`, to }]
      })
    }),
  )
}

/** `flags, experiments: e` -> flags, experiments */
const membersIn = (text: string): string[] => text.split(',').flatMap((part) => /^\s*(\w+)/.exec(part)?.[1] ?? [])

/** For each member, the file that declares it. */
function ownersOf(sources: readonly Source[], { type, module }: Shared): Map<string, string> {
  const owners = new Map<string, string>()
  for (const { name, lines } of sources)
    for (const member of declaredIn(name, lines.join('\n'), type, module)) owners.set(member, name)
  return owners
}

function declaredIn(name: string, text: string, type: string, module: string): string[] {
  const [, from, extended, body = ''] =
    new RegExp(`declare module '(\\.[^']+)' \\{\\n  interface ${type}( extends \\w+)? \\{([\\s\\S]*?)\\}\\n`).exec(
      text,
    ) ?? []
  if (from === undefined || join(dirname(name), from) !== module) return []
  const members = extended === undefined ? body.matchAll(/^ {4}(\w+)\??:/gm) : text.matchAll(/^ {2}(\w+): k\.table\(/gm)
  return [...members].flatMap(([, member]) => member ?? [])
}
