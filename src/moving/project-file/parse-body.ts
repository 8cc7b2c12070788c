import type { Context } from '../../base/context'
import { areLong, type Reading } from '../../projects/project-file/file-reader'
import { parseProjectFile } from '../../projects/project-file/parse'
import type { Sources } from '../../projects/project-file/reader'
import { sectionsOf } from '../../projects/project-file/sections'
import type { FileBody } from './operator-wire'
import { ReadingBudget } from './reading-budget'

/** The texts of a call that were read as YAML, and the rest of its budget. */
export interface ReadBody {
  file: Reading
  files: ReadonlyMap<string, Reading>
  budget: ReadingBudget
}

/** Reads the file and those that it may name, long ones outside of the main thread, within what a person may send. */
export async function readBody(ctx: Context, userId: string, { file, files = {} }: FileBody): Promise<ReadBody> {
  const budget = new ReadingBudget(ctx, userId)
  const isLong = areLong([file, ...Object.values(files)])
  const read = async (text: string) => {
    const reading = await ctx.state.fileReader.read({ text, most: budget.most() }, isLong)
    budget.charge(reading.tokens)
    return reading
  }
  const whole = await read(file)
  const named = new Map<string, Reading>()
  for (const [name, text] of Object.entries(files)) named.set(name, await read(text))
  return { file: whole, files: named, budget }
}

/**
 * Placeholders are read from the body alone. The sender of a file must not read the server's variables and files. Each
 * text is counted whenever it is named, because it is used each time.
 */
export function parseBody(ctx: Context, { file, env = {}, files = {} }: FileBody, read: ReadBody) {
  const sources = countedSources({ env, files }, read)
  return parseProjectFile(sectionsOf(ctx.hooks), file, sources, read.file.tree() ?? undefined)
}

function countedSources({ env, files }: { env: Texts; files: Texts }, { files: read, budget }: ReadBody): Sources {
  const counted = new Set<string>()
  return {
    env: (name) => {
      const text = ownOf(env, name)
      if (text !== null) budget.charge(sizeOf(text))
      return text
    },
    file: (path) => {
      const isFirst = !counted.has(path)
      counted.add(path)
      const text = ownOf(files, path)
      if (text !== null) budget.charge(sizeOf(text) + (isFirst ? 0 : (read.get(path)?.tokens ?? 0)))
      return text
    },
    tree: (path) => read.get(path)?.tree() ?? undefined,
  }
}

type Texts = Record<string, string>

const ownOf = (texts: Texts, name: string): string | null => (Object.hasOwn(texts, name) ? (texts[name] ?? null) : null)

/** The cost of one use of a text, in tokens. */
const sizeOf = (text: string): number => 1 + Math.floor(text.length / CHARS_OF_TOKEN)

const CHARS_OF_TOKEN = 100
