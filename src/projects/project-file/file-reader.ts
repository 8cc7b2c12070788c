import { SECOND } from '../../base/lib/clock'
import { Thread, threadFile } from '../../base/lib/thread'
import { type BuiltTree, buildTree, countTokens } from './tree'
import { unpackTree } from './tree-text'

/** A text, and how many tokens it may have. */
export interface ReadingWork {
  text: string
  most: number
}

/** Of a text with more tokens than it may have, only the count, which is then one more. */
export interface PackedReading {
  tokens: number
  tree: string | null
}

export interface Reading {
  tokens: number
  /** Null when the text has too many tokens. Each call makes the nodes anew. */
  tree: () => BuiltTree | null
}

/** Texts of at most this size together are read at once: about 10 ms. */
const SHORT_CHARS = 8 * 1024
const IDLE_MS = 30 * SECOND

/** Whether the texts of one call are read in the thread. */
export const areLong = (texts: readonly string[]): boolean =>
  texts.reduce((sum, { length }) => sum + length, 0) > SHORT_CHARS

/** Reads the texts of project files; long ones in a thread, because reading takes up to half a second. */
export class FileReader {
  private readonly thread = new Thread<ReadingWork>({
    file: () => threadFile(import.meta.url, 'projects/project-file/file-reader-worker'),
    failure: (why) => new Error(`the thread that reads project files failed: ${why}`),
    idleMs: IDLE_MS,
  })

  async read(work: ReadingWork, isLong = areLong([work.text])): Promise<Reading> {
    if (!isLong) return readNow(work)
    const { tokens, tree } = (await this.thread.perform(work)) as PackedReading // The thread answers as the work asks.
    return { tokens, tree: () => (tree === null ? null : unpackTree(tree)) }
  }

  close(): Promise<void> {
    return this.thread.close()
  }
}

function readNow({ text, most }: ReadingWork): Reading {
  const tokens = countTokens(text, most)
  return { tokens, tree: () => (tokens > most ? null : buildTree(text)) }
}
