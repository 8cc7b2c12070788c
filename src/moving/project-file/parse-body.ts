import type { Context } from '../../base/context'
import { readYamlInPieces } from '../../projects/project-file/document'
import { parseProjectFile } from '../../projects/project-file/parse'
import { sectionsOf } from '../../projects/project-file/sections'
import type { FileBody } from './operator-wire'
import { ReadingBudget } from './reading-budget'

/**
 * Placeholders are read from the body alone. Whoever sends a file must not read the server's variables and files. Each
 * text is counted whenever it is named, because it is read each time. The file, the longest of them, is read in pieces.
 */
export async function parseBody(ctx: Context, userId: string, { file, env = {}, files = {} }: FileBody) {
  const budget = new ReadingBudget(ctx, userId)
  const own = (texts: Record<string, string>, name: string) => {
    const text = Object.hasOwn(texts, name) ? (texts[name] ?? null) : null
    if (text !== null) budget.spend(text)
    return text
  }
  await budget.spendInPieces(file)
  const sources = { env: (name: string) => own(env, name), file: (path: string) => own(files, path) }
  return parseProjectFile(sectionsOf(ctx.hooks), file, sources, await readYamlInPieces(file))
}
