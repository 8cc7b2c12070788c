import type { ThreadAnswer, ThreadRequest } from '../../base/lib/thread'
import { beNice } from '../../base/lib/thread-priority'
import type { PackedReading, ReadingWork } from './file-reader'
import { buildTree, countTokens } from './tree'
import { packTree } from './tree-text'

declare const self: Worker

beNice()

self.onmessage = ({ data }: MessageEvent<ThreadRequest<ReadingWork>>) => {
  if (data !== null) return self.postMessage(answer(data))
  process.exit() // In a worker this ends only the thread, not the process.
}

function answer({ id, work }: NonNullable<ThreadRequest<ReadingWork>>): ThreadAnswer {
  try {
    return { id, result: read(work) }
  } catch (error) {
    return { id, error: { message: String(error) } }
  }
}

function read({ text, most }: ReadingWork): PackedReading {
  const tokens = countTokens(text, most)
  return { tokens, tree: tokens > most ? null : packTree(buildTree(text)) }
}
