import type { Context } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { unlessUnreadable } from '../../base/db/readable'
import { AppError, notFound } from '../../base/errors'
import { findProject } from '../project/service'
import type { ParsedFile, WantedSections } from './parse'
import { type Plan, planProjectFile } from './plan'
import type { AnySection, Current, Loading, Sections } from './section'
import { inFileOrder } from './sections'

type Database = Handle & Pick<Context, 'vault' | 'hooks' | 'config' | 'state'>

/** Loads everything that is saved for a project in these sections. */
export const loadCurrent = (db: Database, projectId: string, sections: Sections): Promise<Current> =>
  load(db, projectId, sections, new Map(), false)

/** A plan, and the saved state for which it was made. */
export interface PlannedFile {
  plan: Plan
  current: Current
}

/** Plans a file against the saved state. To write the plan afterwards, pass the transaction as `db`. */
export async function planFor(
  db: Database & Pick<Context, 'clock'>,
  projectId: string,
  parsed: ParsedFile,
  prune: boolean,
): Promise<PlannedFile> {
  const current = await load(db, projectId, parsed.sections, parsed.wanted, prune)
  return { plan: planProjectFile(parsed, current, { prune, now: db.clock.now() }), current }
}

async function load(
  db: Database,
  projectId: string,
  sections: Sections,
  wanted: WantedSections,
  prune: boolean,
): Promise<Current> {
  const project = await findProject(db, projectId)
  if (!project) throw notFound('project', projectId)
  const from: Loading = { handle: db, vault: db.vault, project, prune, once: onceOnly(db, projectId) }
  const rows = new Map<string, unknown>()
  const ordered = inFileOrder(sections)
  for (const section of ordered) rows.set(section.key.name, await loadSection(section, from, wanted, ordered))
  return { sections, project, rows }
}

/** Runs each read once, and gives its result to all sections that need it. */
function onceOnly(db: Handle, projectId: string): Loading['once'] {
  const done = new Map<unknown, Promise<unknown>>()
  return <Found>(read: (handle: Handle, projectId: string) => Promise<Found>) => {
    const found = done.get(read) ?? read(db, projectId)
    done.set(read, found)
    return found as Promise<Found> // The result of the same function.
  }
}

/** 409 `CONFLICT` if a row contains invalid JSON: its state is unknown, so no file can correct it. */
async function loadSection(
  section: AnySection,
  from: Loading,
  wanted: WantedSections,
  ordered: readonly AnySection[],
): Promise<unknown> {
  const loading = section.load(from, wanted.get(section.key.name) ?? null)
  if (!section.holdsJson) return loading
  const rows = await unlessUnreadable(loading)
  if (rows === null) throw new AppError('CONFLICT', undefined, { message: unreadable(ordered) })
  return rows
}

function unreadable(sections: readonly AnySection[]): string {
  const kinds = sections.filter(({ holdsJson }) => holdsJson).map(({ key }) => key.kind)
  const listed = [kinds.slice(0, -1).join(', '), kinds.at(-1)].filter(Boolean).join(' or ')
  return `A stored ${listed} is no JSON, so nothing can be compared with it; \`svc doctor\` names it: put its text right in the database, or delete its row`
}
