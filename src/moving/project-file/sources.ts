import { readFileSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Io } from '../../base/cli/command'
import type { Sources } from '../../projects/project-file/secret'

/** A project file with the texts that its placeholders stand for. */
export interface FileText {
  file: string
  env: Record<string, string>
  files: Record<string, string>
}

// A list of ids of an audience is the longest. A funnel has at most half a megabyte, and more with indentation.
const MAX_SIDE_FILE_BYTES = 8 * 1024 * 1024

/**
 * Reads the values of placeholders: from the environment, and from files relative to the project file. What was read is
 * added to `text`, so that a server can read the file in the same way.
 */
export function recordingSources(path: string, env: Io['env'], text: FileText): Sources {
  const readBeside = (name: string): string | null => {
    const beside = resolve(dirname(resolve(path)), name)
    try {
      return statSync(beside).size > MAX_SIDE_FILE_BYTES ? null : readFileSync(beside, 'utf8')
    } catch {
      return null // The problems of the file then say that it cannot be read.
    }
  }
  return {
    env: (name) => record(text.env, name, env[name] ?? null),
    file: (name) => record(text.files, name, readBeside(name)),
  }
}

function record(texts: Record<string, string>, name: string, value: string | null): string | null {
  if (value !== null) texts[name] = value
  return value
}
