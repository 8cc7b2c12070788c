import { readFileSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { CommandFailure, type Io } from '../../base/cli/command'
import { grouped } from '../../base/cli/progress'
import { MAX_BODY_BYTES } from '../../base/http/body'
import type { Sources } from '../../projects/project-file/reader'

/** A project file with the texts of its placeholders. */
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

/** A server takes less than a command beside the database, which reads a file of 4 MiB and texts of 8 MiB. */
export function refuseTooLarge(body: object): void {
  const bytes = Buffer.byteLength(JSON.stringify(body)) + VERSION_BYTES
  if (bytes <= MAX_BODY_BYTES) return
  const message = `The file and the texts that it names are ${grouped(bytes)} bytes; a server takes ${grouped(MAX_BODY_BYTES)} at most. Apply the file on the machine of the server, or set long lists of ids in the console.`
  throw new CommandFailure('PAYLOAD_TOO_LARGE', message)
}

/** Of the version that is sent with the second call. */
const VERSION_BYTES = 64
