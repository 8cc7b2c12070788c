import type { Context } from '../../base/context'
import { planFile } from '../../projects/project-file/apply'
import { changesOf } from '../../projects/project-file/changes'
import { loadCurrent } from '../../projects/project-file/load'
import { type ParsedFile, parseProjectFile } from '../../projects/project-file/parse'
import { filedSections, type Patched, patchedFile } from '../../projects/project-file/patch'
import { type LocatedProblem, problem } from '../../projects/project-file/problem'
import type { Sources } from '../../projects/project-file/reader'
import { sectionsOf } from '../../projects/project-file/sections'
import type { BuiltTree } from '../../projects/project-file/tree'
import { toFileContent } from '../../projects/project-file/write-yaml'
import { inTurn, type Sender } from './file-turns'
import type { PatchBody } from './operator-wire'
import { ReadingBudget } from './reading-budget'

/** A file that was made of a patch, for the version of the project to which it belongs. */
export interface ParsedPatch {
  parsed: ParsedFile
  prune: boolean
  configVersion: number
}

/** Variables and files have no value here, so a placeholder of a secret keeps the saved one. */
const SOURCES: Sources = {
  env: () => null,
  file: () => null,
  secretFault: 'A patch takes no secret. Leave it out to keep the saved one, or set it in the console',
}

/** Reads a patch when it is the turn of its project. 429 `RATE_LIMITED` and 503 `QUEUE_UNAVAILABLE`. */
export const parsePatchInTurn = (
  ctx: Context,
  sender: Sender,
  { patch }: PatchBody,
): Promise<ParsedPatch | { unreadable: LocatedProblem[] }> =>
  inTurn(ctx, sender, async (read) => {
    const tree = await readPatch(ctx, sender.user.id, textOf(patch))
    const current = await loadCurrent(ctx, sender.project.id, sectionsOf(ctx.hooks))
    const content = toFileContent(current)
    const file = patchedFile(tree, content, current.sections)
    const parsed = await read(() => parseProjectFile(current.sections, '', SOURCES, file.tree))
    if ('unreadable' in parsed) return parsed
    const unnamed = await objectsWithoutName(ctx, sender.project.id, file, content)
    const problems = [...parsed.problems, ...unnamed]
    return { parsed: { ...parsed, problems }, prune: file.removes, configVersion: current.project.configVersion }
  })

const textOf = (patch: PatchBody['patch']): string =>
  typeof patch === 'string' ? patch : JSON.stringify(patch, null, 2)

async function readPatch(ctx: Context, userId: string, text: string): Promise<BuiltTree> {
  const budget = new ReadingBudget(ctx, userId)
  const { tokens, tree } = await ctx.state.fileReader.read({ text, most: budget.most() })
  budget.charge(tokens)
  return tree() ?? NOTHING
}

const NOTHING: BuiltTree = { root: { kind: 'scalar', value: null }, problems: [], longs: [] }

/** The problem of sections with objects that no file names: removing one object would remove them too. */
async function objectsWithoutName(ctx: Context, projectId: string, { tree, removes }: Patched, content: object) {
  if (!removes) return []
  const { hooks } = ctx
  const own = parseProjectFile(sectionsOf(hooks), '', SOURCES, filedSections(tree, { ...content }))
  if ('unreadable' in own) throw new Error('the exported file of a project cannot be read')
  const lost = changesOf(await planFile(ctx, projectId, own, { prune: true })).filter(({ isPruned }) => isPruned)
  return lost.map(({ kind, ref }) =>
    problem([], `A patch can remove nothing here while the project has the ${kind} ${ref}, which no file can name`),
  )
}
